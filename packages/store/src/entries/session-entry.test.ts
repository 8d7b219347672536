import { describe, expect, it } from 'vitest';
import { sample } from '../../test/sample-events.ts';
import { makeEntry } from './session-entry.ts';

describe('makeEntry', () => {
  it('finds prompts, answers, calls and run blocks', () => {
    const events = [
      sample.turnStart(1, 'Why?'),
      sample.callEnd('1', 'text', { ok: false }),
      { ...sample.callEnd('2', 'text'), ref: 'result:3' },
      sample.runEnd('3', '2'),
      sample.answer('Because.'),
    ];
    expect(events.map(makeEntry)).toEqual([
      { channel: 'ai', direction: 'input', text: 'Why?', meta: {} },
      { channel: 'tool', direction: 'output', text: '<R:a>\ntext', meta: { id: '1', ok: false, space: 'tasks' } },
      {
        channel: 'tool',
        direction: 'output',
        text: '<R:a>\ntext',
        meta: { id: '2', ok: true, space: 'tasks', ref: 'result:3' },
      },
      { channel: 'run', direction: 'output', text: '1+1\n2', meta: { id: '3', ok: true } },
      { channel: 'ai', direction: 'output', text: 'Because.', meta: {} },
    ]);
  });

  it('leaves out what another event repeats', () => {
    const events = [sample.delta(1, 'x'), sample.callStart('1'), sample.runStart('2'), sample.turnEnd()];
    expect(events.map(makeEntry)).toEqual([undefined, undefined, undefined, undefined]);
  });
});
