import type { AgentEvent } from '@bae/core';
import { createAgent } from '@bae/core';
import { expect, it } from 'vitest';
import { openMemoryTerminal } from '../../test/memory-terminal.ts';
import { callEnd, runEnd } from '../../test/sample-events.ts';
import { parseArguments } from '../command-line/options.ts';
import { loadLexer } from '../terminal/markdown.ts';
import { ViewSwitch } from './view-switch.ts';

const BODY = 'x'.repeat(100_000);
const start = { label: '1', turn: 1 } as const;

it.each([
  ['results', () => callEnd({ text: BODY })],
  [
    'bodies',
    () => ({
      ...start,
      type: 'call-start',
      id: '1',
      tag: '<W:a>',
      verb: 'write',
      space: 'home',
      arguments: { content: BODY },
    }),
  ],
  ['code', () => ({ ...start, type: 'run-start', id: '1', code: BODY })],
  ['prompts', () => ({ ...start, type: 'turn-start', prompt: BODY })],
] as readonly (readonly [string, () => AgentEvent])[])(
  'of 100 MB of %s, two million characters are kept',
  (_name, make) => {
    const terminal = openMemoryTerminal({ interactive: true });
    const views = new ViewSwitch({ options: parseArguments([], []).options, terminal, tree: createAgent().tree });
    for (let count = 0; count < 1000; count++) {
      // What is shown is not the subject.
      void views.showEvent({ ...make(), turn: count }, 'turn');
    }
    const kept = views.events;
    expect(JSON.stringify(kept).length).toBeLessThan(2_200_000);
    expect(kept.at(-1)).toMatchObject({ turn: 999 });
  },
);

it('of many small events the last thousand are kept', () => {
  const terminal = openMemoryTerminal({ interactive: true });
  const views = new ViewSwitch({ options: parseArguments([], []).options, terminal, tree: createAgent().tree });
  for (let turn = 0; turn < 5000; turn++) void views.showEvent({ ...callEnd({}), turn }, 'turn');
  expect(views.events).toHaveLength(1000);
});

it('shows the whole code of the last turn, of which a frame shows the beginning', async () => {
  const terminal = openMemoryTerminal({ interactive: true });
  const views = new ViewSwitch({ options: parseArguments([], []).options, terminal, tree: createAgent().tree });
  const code = Array.from({ length: 100 }, (_, line) => `f(${line});`).join('\n');
  void views.showEvent({ ...start, type: 'turn-start', prompt: 'x' }, 'turn');
  void views.showEvent({ ...start, type: 'run-start', id: '1', code }, 'turn');
  void views.showEvent(runEnd({ code }), 'turn');
  expect(views.toggleWhole()).toBe(true);
  expect(await views.render(10)).toContain('f(99);');
  expect(views.toggleWhole()).toBe(true);
  expect(await views.render(10)).not.toContain('f(99);');
});

it('shows the calls of the last turn with their results, and as before after that', async () => {
  const terminal = openMemoryTerminal({ interactive: true });
  const views = new ViewSwitch({ options: parseArguments([], []).options, terminal, tree: createAgent().tree });
  void views.showEvent({ ...start, type: 'turn-start', prompt: 'x' }, 'turn');
  expect(views.toggleWhole()).toBe(false);
  void views.showEvent(callEnd({ text: 'one\ntwo' }), 'turn');
  const line = '◆ read(a.txt) -> string (1 line)';
  expect(views.toggleWhole()).toBe(true);
  expect(await views.render(3)).toBe(`> x\n${line}\n  one\n  two`);
  expect(views.toggleWhole()).toBe(true);
  expect(await views.render(3)).toBe(`> x\n${line}`);
});

it('shows what had arrived of a cancelled response again, and goes on with a running one in another view', async () => {
  const terminal = openMemoryTerminal({ interactive: true });
  let streamed: Parameters<typeof terminal.status.stream>[0];
  terminal.status.stream = (read) => void (streamed = read);
  const views = new ViewSwitch({ options: parseArguments([], []).options, terminal, tree: createAgent().tree });
  const totals = { inputTokens: 1, outputTokens: 2, cachedTokens: 0, sends: 1, calls: 0, runs: 0, ms: 5 };
  const delta = (text: string) => void views.showEvent({ ...start, type: 'response-delta', text }, 'turn');
  void views.showEvent({ ...start, type: 'turn-start', prompt: 'x' }, 'turn');
  delta('From the first try. ');
  void views.showEvent({ ...start, type: 'notice', code: 'retry', text: 'again' }, 'turn');
  delta('It is in ');
  views.choose('debug');
  views.choose('user');
  delta('a.ts, ');
  expect(streamed?.(80).rows.join('')).toContain('It is in a.ts,');
  await loadLexer();
  delta('**');
  delta('surely');
  expect(streamed?.(80).rows.join('')).toBe('It is in a.ts, surely');
  const unfinished = 'It is in a.ts, **surely';
  await views.showEvent({ ...start, type: 'turn-end', outcome: 'aborted', totals, unfinished }, 'turn');
  const shown = await views.render(10);
  expect(shown).toContain('It is in a.ts, **surely\ncancelled ai:1');
  expect(shown).not.toContain('first try');
  views.choose('debug');
  const all = await views.render(10);
  expect(all).toContain('[ai] is_error=false label=1 type=response-delta\n  It is in a.ts, **surely\n[debug]');
});

it('shows an earlier conversation with its questions', async () => {
  const terminal = openMemoryTerminal({ interactive: true });
  const views = new ViewSwitch({ options: parseArguments([], []).options, terminal, tree: createAgent().tree });
  void views.showEvent({ ...start, type: 'turn-start', prompt: 'Now?' }, 'turn');
  const events: readonly AgentEvent[] = [
    { ...start, type: 'turn-start', prompt: 'What is in it?\n\n[Attached: a.txt]\none' },
    { ...start, type: 'answer', text: 'One line.' },
  ];
  const earlier = { events, title: 'session 0199', end: '1 turn' };
  const rule = (text: string): string => `── ${text} `.padEnd(79, '─');
  const whole = [rule('session 0199'), '> What is in it?', '[ai:1] One line.', rule('1 turn')];
  expect(await views.recall(earlier, 10)).toBe(whole.join('\n'));
  expect(terminal.transcript.text).toBe('');
  expect(await views.render(10)).toBe(['> Now?', ...whole].join('\n'));
  expect(await views.recall(earlier, 2)).toBe([whole[0], ...whole.slice(2)].join('\n'));
});

it('shows a question before what was read for it', async () => {
  const terminal = openMemoryTerminal({ interactive: true });
  const views = new ViewSwitch({ options: parseArguments([], []).options, terminal, tree: createAgent().tree });
  const totals = { inputTokens: 1, outputTokens: 2, cachedTokens: 0, sends: 1, calls: 0, runs: 0, ms: 5 };
  for (const prompt of ['What is in @a.ts?', 'And @b.ts?']) {
    void views.showEvent(callEnd({ summary: `◆ read(${prompt.match(/\w\.ts/)![0]})` }), 'turn');
    void views.showEvent({ ...start, type: 'turn-start', prompt }, 'turn');
    void views.showEvent({ ...start, type: 'turn-end', outcome: 'answered', totals }, 'turn');
  }
  expect(await views.render(10)).toBe('> What is in @a.ts?\n◆ read(a.ts)\n> And @b.ts?\n◆ read(b.ts)');
});
