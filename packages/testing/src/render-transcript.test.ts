import type { AgentEvent } from '@bae/core';
import { expect, it } from 'vitest';
import { renderTranscript } from './render-transcript.ts';

const ORIGIN = { label: '1', turn: 1 };
const USAGE = { inputTokens: 1, outputTokens: 1, cachedTokens: 0 };
const CALL = { id: 'c1', tag: '<R:7>', verb: 'read', space: 'tasks' };

const TURN: readonly AgentEvent[] = [
  { ...ORIGIN, type: 'turn-start', prompt: 'What is\nopen?' },
  { ...ORIGIN, type: 'response-delta', text: 'I look' },
  { ...ORIGIN, type: 'response-end', context: 0, text: 'I look.\n@tasks()\n<R:7>\n', executable: true, usage: USAGE },
  { ...ORIGIN, type: 'space-enter', from: 'home', to: 'tasks' },
  { ...ORIGIN, ...CALL, type: 'call-start', arguments: { id: '7' } },
  {
    ...ORIGIN,
    ...CALL,
    type: 'call-end',
    ok: true,
    summary: '[tasks] ◆ read(7) -> string (18 lines)',
    ms: 12,
    text: 'whole',
  },
  {
    ...ORIGIN,
    ...CALL,
    type: 'call-end',
    ok: false,
    errorType: 'ResourceError',
    summary: '[tasks] ◆ read(8) -> ResourceError',
    ms: 1,
    text: 'x',
  },
  { ...ORIGIN, type: 'run-start', id: 'r1', code: '1+1' },
  { ...ORIGIN, type: 'run-end', id: 'r1', code: '1+1', ok: true, output: '2', ms: 3 },
  { ...ORIGIN, type: 'run-end', id: 'r2', code: 'x = 1', ok: false, output: '', ms: 3 },
  { ...ORIGIN, type: 'notice', code: 'limit', text: 'stopped after 3 tool rounds; 1 call not run' },
  { ...ORIGIN, type: 'response-end', context: 0, text: 'One task.', executable: false, usage: USAGE },
  { ...ORIGIN, type: 'answer', text: 'One task.' },
  { ...ORIGIN, type: 'turn-end', outcome: 'answered', totals: { ...USAGE, sends: 2, calls: 2, runs: 2, ms: 99 } },
];

it('shows a turn as one entry an event', () => {
  expect(renderTranscript(TURN)).toMatchInlineSnapshot(`
    "user: What is
      open?
    model: I look.
      @tasks()
      <R:7>
    enter: home -> tasks
    call: [tasks] ◆ read(7) -> string (18 lines)
    call failed: [tasks] ◆ read(8) -> ResourceError
    run: 1+1
      => 2
    run failed: x = 1
      => (no output)
    notice limit: stopped after 3 tool rounds; 1 call not run
    answer: One task.
    end: answered (sends 2, calls 2, runs 2)"
  `);
});

it('is the same whatever the times', () => {
  const slower = TURN.map((event) => ('ms' in event ? { ...event, ms: event.ms + 1000 } : event));
  expect(renderTranscript(slower)).toBe(renderTranscript(TURN));
});

it('names the session of each entry when there is more than one', () => {
  const events: readonly AgentEvent[] = [
    { label: '1', turn: 1, type: 'turn-start', prompt: 'a' },
    { label: '2', turn: 1, type: 'turn-start', prompt: 'b' },
  ];
  expect(renderTranscript(events)).toBe('@1 user: a\n@2 user: b');
});

it('of nothing is empty', () => {
  expect(renderTranscript([])).toBe('');
});
