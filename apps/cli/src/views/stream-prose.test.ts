import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { AgentEvent } from '@bae/core';
import { createProseStream } from './stream-prose.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const delta = (text: string): AgentEvent => ({ type: 'response-delta', text, label: '1', turn: 1 });
const end = { type: 'response-end', label: '1', turn: 1 } as AgentEvent;

function open() {
  const frames: string[] = [];
  const view = createProseStream({ stream: (text) => void frames.push(text) }, (text) =>
    text.replaceAll(/<[^>]*>/g, ''),
  );
  return { frames, view };
}

describe('the stream of a response', () => {
  it('is drawn at most every 50 ms, and gone when the response ends', () => {
    const { frames, view } = open();
    for (const letter of 'Hello there') view(delta(letter));
    expect(frames).toEqual([]);
    vi.advanceTimersByTime(50);
    view(delta('!'));
    vi.advanceTimersByTime(50);
    view(end);
    vi.advanceTimersByTime(500);
    expect(frames).toEqual(['Hello there', 'Hello there!', '']);
  });

  it('hides a line that may become a call until it is whole', () => {
    const { frames, view } = open();
    view(delta('I look.\n<R:a'));
    vi.advanceTimersByTime(50);
    view(delta('.ts>\nThen'));
    vi.advanceTimersByTime(50);
    expect(frames).toEqual(['I look.', 'I look.\n\nThen']);
  });

  it('writes nothing for a response that was never drawn', () => {
    const { frames, view } = open();
    view(end);
    expect(frames).toEqual([]);
  });
});
