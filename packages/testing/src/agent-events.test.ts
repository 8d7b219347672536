import type { AgentEvent } from '@bae/core';
import { describe, expect, it } from 'vitest';
import { expectBalanced, recordEvents, renderTranscript } from './agent-events.ts';

const ANSWER: AgentEvent = { label: '1', turn: 1, type: 'answer', text: 'Done.' };
const PROMPT: AgentEvent = { label: '1', turn: 1, type: 'turn-start', prompt: 'Go' };

describe('recordEvents', () => {
  it('keeps events in order', () => {
    const recorder = recordEvents();
    recorder(PROMPT);
    recorder(ANSWER);
    expect(recorder.events).toEqual([PROMPT, ANSWER]);
  });

  it('gives the events of one type, typed as such', () => {
    const recorder = recordEvents();
    recorder(PROMPT);
    recorder(ANSWER);
    expect(recorder.of('answer').map(({ text }) => text)).toEqual(['Done.']);
    expect(recorder.of('notice')).toEqual([]);
  });

  it('keeps a copy, so that a later change does not show', () => {
    const recorder = recordEvents();
    const event = { ...ANSWER };
    recorder(event);
    Object.assign(event, { text: 'Changed.' });
    expect(recorder.events).toEqual([ANSWER]);
  });

  it('keeps what survives as JSON, so that anything else shows', () => {
    const recorder = recordEvents();
    recorder({ ...ANSWER, extra: new Map([[1, 2]]), gone: undefined } as AgentEvent);
    expect(recorder.events).toEqual([{ ...ANSWER, extra: {} }]);
    expect(Object.keys(recorder.events[0]!)).not.toContain('gone');
  });
});

/** Events written short: `turn-start`, `call-start a`, `@2 turn-end`, `#2 answer` for turn 2. */
function events(...lines: readonly string[]): readonly AgentEvent[] {
  return lines.map((line) => {
    const label = /@(\w+)/.exec(line)?.[1] ?? '1';
    const turn = Number(/#(\d+)/.exec(line)?.[1] ?? 1);
    const [type, id] = line.replaceAll(/[@#]\w+ /g, '').split(' ');
    return { type, label, turn, ...(id === undefined ? {} : { id }) } as AgentEvent;
  });
}

describe('a balanced stream', () => {
  it.each([
    ['is empty', []],
    ['is a plain turn', ['turn-start', 'response-delta', 'response-end', 'answer', 'turn-end']],
    [
      'has calls one after the other',
      ['turn-start', 'call-start a', 'call-end a', 'call-start b', 'call-end b', 'turn-end'],
    ],
    ['has calls within a run', ['turn-start', 'run-start r', 'call-start a', 'call-end a', 'run-end r', 'turn-end']],
    ['has several turns', ['turn-start', 'answer', 'turn-end', '#2 turn-start', '#2 answer', '#2 turn-end']],
    ['has no answer', ['turn-start', 'notice', 'turn-end']],
    ['has calls outside any turn', ['#0 call-start a', '#0 call-end a', '#0 space-enter']],
    [
      'mixes sessions',
      [
        'turn-start',
        '@2 turn-start',
        'call-start a',
        '@2 call-start a',
        'call-end a',
        'turn-end',
        '@2 call-end a',
        '@2 turn-end',
      ],
    ],
  ])('%s', (_, lines) => {
    expect(() => expectBalanced(events(...lines))).not.toThrow();
  });
});

describe('a stream out of balance', () => {
  it.each([
    [['turn-start', 'call-start a', 'turn-end'], 'event 3, turn-end (session 1, turn 1): call a is still open.'],
    [['turn-start', 'call-start a'], 'session 1: call a was never ended.'],
    [['turn-start'], 'session 1: turn 1 was never ended.'],
    [['turn-start', 'call-end a'], 'event 2, call-end a (session 1, turn 1): turn 1 is still open.'],
    [['#0 call-end a'], 'event 1, call-end a (session 1, turn 0): nothing is open.'],
    [
      ['turn-start', 'call-start a', 'call-end a', 'call-end a'],
      'event 4, call-end a (session 1, turn 1): turn 1 is still open.',
    ],
    [
      ['turn-start', 'call-start a', 'call-end a', 'call-start a'],
      'event 4, call-start a (session 1, turn 1): its id was used before.',
    ],
    [
      ['turn-start', 'call-start a', 'call-start b', 'call-end a'],
      'event 4, call-end a (session 1, turn 1): call b is still open.',
    ],
    [['turn-start', 'run-start a', 'call-end a'], 'event 3, call-end a (session 1, turn 1): run a is still open.'],
    [['turn-start', 'answer', 'answer'], 'event 3, answer (session 1, turn 1): the turn already has an answer.'],
    [['turn-start', 'turn-end', 'answer'], 'event 3, answer (session 1, turn 1): its turn is over.'],
    [['turn-start', 'turn-end', 'turn-end'], 'event 3, turn-end (session 1, turn 1): its turn is over.'],
    [['answer'], 'event 1, answer (session 1, turn 1): its turn has not started.'],
    [['turn-start', '#2 turn-start'], 'event 2, turn-start (session 1, turn 2): turn 1 is still open.'],
    [
      ['turn-start', 'turn-end', 'turn-start'],
      'event 3, turn-start (session 1, turn 1): there was a turn of this number already.',
    ],
    [['turn-start', '@2 answer'], 'event 2, answer (session 2, turn 1): its turn has not started.'],
  ])('%j is refused', (lines, complaint) => {
    expect(() => expectBalanced(events(...lines))).toThrow(complaint);
  });

  it('is refused wherever one event of a good stream is left out, save those that stand alone', () => {
    const good = events('turn-start', 'run-start r', 'call-start a', 'call-end a', 'run-end r', 'answer', 'turn-end');
    const refused = good.map((_, left) => {
      try {
        expectBalanced(good.filter((_, index) => index !== left));
        return false;
      } catch {
        return true;
      }
    });
    expect(refused).toEqual([true, true, true, true, true, false, true]);
  });
});

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

describe('renderTranscript', () => {
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
});
