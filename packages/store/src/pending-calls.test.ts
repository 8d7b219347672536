import { describe, expect, it } from 'vitest';
import { sample } from '../test/sample-events.ts';
import { pendingCalls } from './pending-calls.ts';

describe('pendingCalls', () => {
  it('tells calls that ended from those that did not', () => {
    const events = [
      sample.callStart('1', '<R:a>'),
      sample.callEnd('1', 'A'),
      sample.callStart('2', '<W:b>'),
      sample.callEnd('2', 'no.', { ok: false, errorType: 'ConflictError' }),
      sample.callStart('3', '<W:c>'),
    ];
    expect(pendingCalls(events, 'home')).toEqual({
      unfinished: [{ id: '3', tag: '<W:c>', space: 'tasks' }],
      unsent: [
        { tag: '<R:a>', space: 'tasks', status: 'ok', text: 'A' },
        { tag: '<W:b>', space: 'tasks', status: 'ConflictError', text: 'no.' },
      ],
    });
  });

  it('lets a run block that is over answer for its calls', () => {
    const inside = [sample.callStart('2'), sample.callEnd('2', 'inner')];
    expect(pendingCalls([sample.runStart('1'), ...inside, sample.runEnd('1', 'out')], 'source')).toEqual({
      unfinished: [],
      unsent: [{ tag: '<run>', space: 'source', status: 'ok', text: 'out' }],
    });
    expect(pendingCalls([sample.runStart('1'), sample.runEnd('1', 'boom', false)], 'home').unsent).toEqual([
      { tag: '<run>', space: 'home', status: 'RunError', text: 'boom' },
    ]);
  });

  it('tells of the calls of a run block that was interrupted', () => {
    const events = [sample.runStart('1'), sample.callStart('2'), sample.callEnd('2', 'inner'), sample.callStart('3')];
    expect(pendingCalls(events, 'home')).toEqual({
      unfinished: [
        { id: '1', tag: '<run>', space: 'home' },
        { id: '3', tag: '<R:a>', space: 'tasks' },
      ],
      unsent: [{ tag: '<R:a>', space: 'tasks', status: 'ok', text: 'inner' }],
    });
  });

  it('has nothing to say about an end without a start, or other events', () => {
    const events = [sample.callEnd('1', 'A'), sample.delta(1, 'x'), sample.turnEnd()];
    expect(pendingCalls(events, 'home')).toEqual({ unfinished: [], unsent: [] });
  });
});
