import { expectBalanced } from '@bae/testing';
import { afterEach, describe, expect, it } from 'vitest';
import type { AgentEvent } from '@bae/core';
import { sent, stage } from './stage.ts';

const of = <T extends AgentEvent['type']>(events: readonly AgentEvent[], type: T) =>
  events.filter((event): event is Extract<AgentEvent, { type: T }> => event.type === type);

describe('one turn', () => {
  let events: readonly AgentEvent[] = [];
  afterEach(() => expectBalanced(events));

  it('ends at once when the response has nothing to execute', async () => {
    const { agent, model, ...scene } = stage(['Just an answer.']);
    events = scene.events;
    expect(await agent.ask('hi')).toBe('Just an answer.');
    expect(model.sends).toHaveLength(1);
    expect(of(events, 'answer')).toMatchObject([{ text: 'Just an answer.' }]);
  });

  it('feeds a result back under the location and the frame, then answers', async () => {
    const { agent, model, ...scene } = stage(['<R:foo.py>', 'Done.'], { 'foo.py': 'print(1)\n' });
    events = scene.events;
    await agent.ask('read it');
    expect(sent(model, 1)).toMatch(
      /^\[Location: home\]\n\[Tool output [0-9a-f]{6}\]\n#1 [0-9a-f]{6} <R:foo\.py> \[home\] ok\nprint\(1\)\n/,
    );
    expect(events.map(({ type }) => type).filter((type) => type !== 'response-delta')).toEqual([
      'turn-start',
      'response-end',
      'call-start',
      'call-end',
      'response-end',
      'answer',
      'turn-end',
    ]);
    expect(of(events, 'response-end').map(({ executable }) => executable)).toEqual([true, false]);
    expect(of(events, 'call-end')).toMatchObject([{ ok: true, summary: '◆ read(foo.py) -> string (1 line)' }]);
    expect(of(events, 'turn-end')).toMatchObject([{ outcome: 'answered', totals: { sends: 2, calls: 1, runs: 0 } }]);
  });

  it('answers all calls of a response in one message', async () => {
    const { agent, model, ...scene } = stage(['<R:a>\n<R:b>', 'Ok'], { a: 'A', b: 'B' });
    events = scene.events;
    await agent.ask('both');
    expect(sent(model, 1).split('\n---\n')).toHaveLength(2);
    expect(of(events, 'call-end').map(({ tag }) => tag)).toEqual(['<R:a>', '<R:b>']);
  });

  it('leaves run blocks alone when calls ran, and says so', async () => {
    const { agent, model, ...scene } = stage(['<R:a>\n<run>x=1</run>', 'Ok'], { a: 'A' });
    events = scene.events;
    await agent.ask('mixed');
    expect(
      sent(model, 1).endsWith(
        '[Note] 1 <run> block was not executed because tool calls ran first; send it again if still needed.',
      ),
    ).toBe(true);
    expect(of(events, 'run-start')).toEqual([]);
    expect(of(events, 'notice')).toMatchObject([{ code: 'run-skipped' }]);
  });

  it('goes on after an error', async () => {
    const { agent, model, ...scene } = stage(['<R:missing>', 'I see'], { 'present.txt': '' });
    events = scene.events;
    expect(await agent.ask('read')).toBe('I see');
    expect(of(events, 'call-end')).toMatchObject([{ ok: false, errorType: 'FileNotFoundError' }]);
    expect(sent(model, 1)).toMatch(
      /#1 [0-9a-f]{6} <R:missing> \[home\] FileNotFoundError\nFileNotFoundError: missing does not exist\./,
    );
  });

  it('stops after its number of batches', async () => {
    const { agent, model, ...scene } = stage(
      Array.from({ length: 4 }, () => '<R:foo>'),
      { foo: 'x' },
      { maxBatches: 3 },
    );
    events = scene.events;
    expect(await agent.ask('loop')).toBe('<R:foo>');
    expect(model.sends).toHaveLength(4);
    expect(of(events, 'call-end')).toHaveLength(3);
    expect(of(events, 'notice')).toMatchObject([
      { code: 'limit', text: 'stopped after 3 tool rounds; 1 call not run' },
    ]);
    expect(of(events, 'turn-end')).toMatchObject([{ outcome: 'limit' }]);
    expect(of(events, 'answer')).toEqual([]);
  });

  it('ends after a run block without output', async () => {
    const { agent, model, ...scene } = stage(['<run>x = 42; undefined</run>']);
    events = scene.events;
    expect(await agent.ask('set x')).toBe('<run>x = 42; undefined</run>');
    expect(model.sends).toHaveLength(1);
    expect(of(events, 'run-end')).toMatchObject([{ ok: true, output: '' }]);
  });

  it('feeds the output of run blocks back', async () => {
    const { agent, model, ...scene } = stage(['<run>1+1</run>\n<run>2+2</run>', 'ok']);
    events = scene.events;
    await agent.ask('compute');
    expect(sent(model, 1)).toMatch(/\[Output [0-9a-f]{6}\]\n2\n---\n4\n\[end [0-9a-f]{6}\]$/);
  });

  it('feeds a broken write back alone, and writes when it is mended', async () => {
    const { agent, model, read, ...scene } = stage(['<W:a.txt>\noops', '<W:a.txt>\nhi\n</W>', 'done']);
    events = scene.events;
    await agent.ask('write');
    expect(sent(model, 1)).toMatch(/^\[Location: home\]\n\[Parse problem\] line 1: [^\n]*$/);
    expect(read('a.txt')).toBe('hi\n');
    expect(model.sends).toHaveLength(3);
  });

  it('lets a move count for the calls after it', async () => {
    const { agent, model, ...scene } = stage(['@tasks()\n<R:>', 'ok'], {}, { maxBatches: 1 });
    events = scene.events;
    await agent.ask('tasks');
    expect(sent(model, 1)).toMatch(/^\[Location: home > tasks\]\n/);
    expect(sent(model, 1)).toMatch(/#1 [0-9a-f]{6} @tasks\(\) \[home\] ok\nEntering tasks\n/);
    expect(sent(model, 1)).toMatch(/#2 [0-9a-f]{6} <R:> \[tasks\] ok\ntask list/);
    expect(of(events, 'call-end').map(({ summary }) => summary)).toEqual([
      '◆ tasks',
      '[tasks] ◆ read() -> string (1 line)',
    ]);
    expect(of(events, 'space-enter')).toMatchObject([{ from: 'home', to: 'tasks' }]);
  });

  it('does not count moves as batches', async () => {
    const { agent, model, ...scene } = stage(['@tasks()', '@home()', '<R:a>', 'ok'], { a: 'A' }, { maxBatches: 2 });
    events = scene.events;
    expect(await agent.ask('look around')).toBe('ok');
    expect(model.sends).toHaveLength(4);
  });

  it('shows fenced tags and executes none', async () => {
    const fenced = '```\n<R:x>\n```';
    const { agent, model, ...scene } = stage([fenced]);
    events = scene.events;
    expect(await agent.ask('how do I read?')).toBe(fenced);
    expect(model.sends).toHaveLength(1);
    expect(of(events, 'call-start')).toEqual([]);
  });

  it('refuses an edit of a file that changed since it was shown', async () => {
    const { agent, write, read, ...scene } = stage(['<R:a>', 'seen', '<E:a:1-2>\nx\n</E>', 'ok'], { a: '1\n2\n3\n' });
    events = scene.events;
    await agent.ask('read');
    write('a', 'other\n2\n3\n4\n');
    await agent.ask('edit');
    expect(of(events, 'call-end').at(-1)).toMatchObject({ ok: false, errorType: 'ConflictError' });
    expect(read('a')).toBe('other\n2\n3\n4\n');
  });

  it('runs an identical read once a batch', async () => {
    const { agent, model, ...scene } = stage(['<R:a>\n<R:a>', 'ok'], { a: 'A' });
    events = scene.events;
    await agent.ask('twice');
    expect(sent(model, 1)).toMatch(/#2 [0-9a-f]{6} <R:a> \[home\] ok\n\(same as #1\)/);
    expect(of(events, 'turn-end')).toMatchObject([{ totals: { calls: 1 } }]);
  });

  it('reads again after a write in the same batch', async () => {
    const { agent, model, ...scene } = stage(['<R:a>\n<W:a>new</W>\n<R:a>', 'ok'], { a: 'old' });
    events = scene.events;
    await agent.ask('read, write, read');
    expect(sent(model, 1)).toMatch(/#3 [0-9a-f]{6} <R:a> \[home\] ok\nnew/);
  });

  it.each([
    ['the same again ends the turn', ['<help2:x>\n', '<help2:x>\n', 'sorry'], 2],
    ['another one is fed back too', ['<help2:x>\n', '<hepl:x>', 'sorry'], 3],
  ])('feeds a near miss back once: %s', async (_, answers, sends) => {
    const { agent, model, ...scene } = stage(answers);
    events = scene.events;
    await agent.ask('help');
    expect(sent(model, 1)).toContain('[Parse problem] line 1: ');
    expect(model.sends).toHaveLength(sends);
    expect(of(events, 'notice').map(({ code }) => code)).toEqual(Array(sends - 1).fill('near-miss'));
  });
});
