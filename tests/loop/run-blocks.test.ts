import { approvalPolicy, asModelText, defineResourcespace, tool, type CodeRunner, type RunOptions } from '@bae/core';
import { expectBalanced } from '@bae/testing';
import { describe, expect, it } from 'vitest';
import { sent, stage } from './stage.ts';

const CALL = { verb: 'read', arg: 'a.txt', line: 1, tag: '<R:a.txt>' } as const;

/** A turn with two run blocks, executed by this runner. */
function running(run: CodeRunner['run']) {
  const code = '<run>\none\n</run>\n<run>\ntwo\n</run>';
  return stage([code, 'Done.', 'Next.'], { 'a.txt': 'A\n' }, { codeRunner: { run } });
}

describe('code', () => {
  it('that makes its runner throw is answered like code that fails', async () => {
    const { agent, model, events } = running(() => {
      throw new TypeError('the runner broke');
    });
    expect(await agent.ask('run')).toBe('Done.');
    expectBalanced(events);
    expect(events.filter(({ type }) => type === 'run-end')).toMatchObject([{ ok: false }, { ok: false }]);
    expect(sent(model, 1)).toContain('TypeError: the runner broke');
  });

  it('ends after the calls that it did not wait for', async () => {
    const { agent, events } = running(async (_, options) => {
      void options.dispatch(CALL);
      return { ok: true, output: 'x' };
    });
    await agent.ask('run');
    expectBalanced(events);
    expect(events.filter(({ type }) => type === 'call-end')).toHaveLength(2);
  });

  it('that never ends is left alone when the turn is cancelled, and may call nothing more', async () => {
    const controller = new AbortController();
    let kept: RunOptions | undefined;
    const { agent, model, events } = running(async (_, options) => {
      kept = options;
      await options.dispatch(CALL);
      setTimeout(() => controller.abort(), 1);
      return new Promise(() => undefined);
    });
    await expect(agent.ask('run', { signal: controller.signal })).rejects.toMatchObject({ name: 'AbortError' });
    expectBalanced(events);
    expect(events.at(-1)).toMatchObject({ type: 'turn-end', outcome: 'aborted', totals: { calls: 1, runs: 1 } });
    const before = events.length;
    await expect(kept?.dispatch(CALL)).rejects.toMatchObject({ name: 'AbortError' });
    expect(events).toHaveLength(before);
    await agent.ask('and now?');
    expect(sent(model, 1)).toContain('AbortError: interrupted, outcome unknown.');
    expect(sent(model, 1)).toContain('[Note] 1 of 2 run blocks did not run.');
  });

  it('calls tools one after the other, each with what it changes seen by the next', async () => {
    const { agent, events, read } = running(async (_, { dispatch }) => {
      const write = { ...CALL, verb: 'write', tag: 'write("a.txt")', body: 'B\n' } as const;
      const [before, , after] = await Promise.all([dispatch(CALL), dispatch(write), dispatch(CALL)]);
      return { ok: true, output: `${before.text}${after.text}` };
    });
    await agent.ask('run');
    expectBalanced(events);
    expect(events.find(({ type }) => type === 'run-end')).toMatchObject({
      output: 'A\nB\nChanged:\n- Wrote 2 chars (1 line) to a.txt (replaced 1 line)',
    });
    expect(read('a.txt')).toBe('B\n');
  });

  it('is answered within the bound, and nothing of it is lost', async () => {
    const output = Array.from({ length: 2000 }, (_, index) => `line ${index}`).join('\n');
    const { agent, model } = running(async () => ({ ok: true, output }));
    await agent.ask('run');
    const [first = ''] = sent(model, 1).split('\n---\n');
    expect(first.length).toBeLessThanOrEqual(2100);
    const [, tag = '', start] = /^\[… \d+ of 2000 lines left out: (<R:result:\d+:(\d+)-\d+>)\]$/m.exec(first) ?? [];
    const { calls } = await agent.run(asModelText(tag));
    expect(calls[0]?.result.text).toMatch(new RegExp(`^line ${Number(start) - 1}\n`));
  });

  it('has the tools of the place in scope, and those of all others, after a move too', async () => {
    const names: string[][] = [];
    const { agent } = running(async (_, { dispatch, scope }) => {
      names.push(scope?.().tools.map(({ name }) => name) ?? []);
      await dispatch({ verb: 'go', arg: 'tasks', line: 1, tag: 'tasks()' });
      names.push(scope?.().tools.map(({ name }) => name) ?? []);
      names.push(scope?.().spaces.map(({ name }) => name) ?? []);
      return { ok: true, output: '' };
    });
    await agent.ask('run');
    expect(names.slice(0, 3)).toEqual([
      ['read', 'write', 'edit', 'glob', 'grep', 'delete', 'move', 'mkdir', 'undo'],
      ['read', 'grep'],
      ['home', 'tasks'],
    ]);
  });

  it('gets what a tool gave as data', async () => {
    const values: unknown[] = [];
    const counts = defineResourcespace({
      name: 'counts',
      description: 'Numbers.',
      tools: { read: tool('Counts.', {}, () => ({ open: 2, names: ['a'] })) },
    });
    const run: CodeRunner['run'] = async (_, { dispatch }) => {
      const { value, text } = await dispatch({ ...CALL, arg: '', space: 'counts' });
      values.push(value, text);
      return { ok: true, output: '' };
    };
    const { agent } = stage(['<run>x</run>', 'Done.'], {}, { spaces: [counts], codeRunner: { run } });
    await agent.ask('run');
    expect(values).toEqual([{ open: 2, names: ['a'] }, '{\n  "open": 2,\n  "names": [\n    "a"\n  ]\n}']);
  });

  it('does not lose time while a person is asked, and its calls end when it is stopped', async () => {
    const seen: string[] = [];
    // Asked about each call, since it cannot tell which it would ask about.
    const asked = approvalPolicy({ ask: async () => (seen.push('asked'), { decision: 'allow' }) });
    const stop = new AbortController();
    const run: CodeRunner['run'] = async (_, { dispatch }) => {
      const pauseDuring = async <T>(work: () => Promise<T>): Promise<T> => {
        seen.push('waits');
        return work().finally(() => seen.push('goes on'));
      };
      const write = { ...CALL, verb: 'write', tag: 'write("b.txt")', arg: 'b.txt', body: 'B\n' } as const;
      await dispatch(write, { signal: stop.signal, pauseDuring });
      stop.abort();
      const late = await dispatch(CALL, { signal: stop.signal, pauseDuring }).catch((error: Error) => error.name);
      seen.push(typeof late === 'string' ? late : 'answered');
      return { ok: true, output: '' };
    };
    const { agent, events } = stage(
      ['<run>x</run>', 'Done.'],
      {},
      { approver: { approve: (request, signal) => asked.approve(request, signal) }, codeRunner: { run } },
    );
    await agent.ask('run');
    expectBalanced(events);
    expect(seen).toEqual(['waits', 'asked', 'goes on', 'AbortError']);
  });

  it('is forgotten when the session is closed', async () => {
    const forgotten: string[] = [];
    const forget = async (session: string): Promise<void> => void forgotten.push(session);
    const run: CodeRunner['run'] = async () => ({ ok: true, output: '' });
    const { agent } = stage([], {}, { codeRunner: { run, forget } });
    await agent.close();
    expect(forgotten).toEqual([agent.id]);
  });
});
