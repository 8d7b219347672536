import type { AgentEvent } from '@bae/core';
import { describe, expect, it } from 'vitest';
import { expectBalanced } from './expect-balanced.ts';

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
