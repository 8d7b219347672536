import { describe, expect, it } from 'vitest';
import { createOrderCheck } from './read-stream.ts';

const chat = (content: unknown, finish_reason: string | null = null) => ({
  choices: [{ index: 0, delta: content === undefined ? {} : { content }, finish_reason }],
});
const text = (value: string) => ({ type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text: value } });
const stop = (stop_reason: string | null) => ({ type: 'message_delta', delta: { stop_reason, stop_sequence: null } });

/** `good`, or the error for a stream of these chunks. */
function verdict(...chunks: readonly unknown[]): string {
  const check = createOrderCheck('x/y');
  try {
    for (const chunk of chunks) check(chunk);
    return 'good';
  } catch (error) {
    return (error as Error).message;
  }
}

const MORE = 'x/y said more after the end of its response; nothing of it was executed.';
const TWICE = 'x/y ended its response in two ways; nothing of it was executed.';

describe('a stream of chat chunks', () => {
  it.each([
    ['says and ends', [chat('a'), chat('b'), chat(undefined, 'stop'), { choices: [], usage: {} }], 'good'],
    ['ends with its last text', [chat('a'), chat('b', 'stop')], 'good'],
    ['repeats its end, with nothing', [chat('a', 'stop'), chat('', 'stop'), chat(undefined, 'stop')], 'good'],
    ['sends an empty reason all the time', [chat('a', ''), chat('b', ''), chat('', 'stop')], 'good'],
    ['says more', [chat('a', 'stop'), chat('b')], MORE],
    ['says more in parts', [chat('a', 'stop'), chat([{ type: 'text', text: 'b' }])], MORE],
    ['ends by length and by a stop', [chat('a', 'length'), chat(undefined, 'stop')], TWICE],
    ['ends by a stop and by length', [chat('a', 'stop'), chat(undefined, 'length')], TWICE],
  ])('that %s', (_, chunks, expected) => {
    expect(verdict(...chunks)).toBe(expected);
  });
});

describe('a stream of messages', () => {
  it.each([
    ['says and ends', [{ type: 'message_start' }, text('a'), stop('end_turn'), { type: 'message_stop' }], 'good'],
    ['reports without an end first', [text('a'), stop(null), text('b'), stop('end_turn')], 'good'],
    ['says more', [text('a'), stop('end_turn'), text('b')], MORE],
    ['ends in two ways', [text('a'), stop('max_tokens'), stop('end_turn')], TWICE],
  ])('that %s', (_, chunks, expected) => {
    expect(verdict(...chunks)).toBe(expected);
  });
});

it('does not look at other formats', () => {
  expect(verdict({ candidates: [{ finishReason: 'STOP' }] }, { candidates: [] }, 'text', null, undefined, 7)).toBe(
    'good',
  );
});
