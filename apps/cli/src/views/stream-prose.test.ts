import type { AgentEvent } from '@bae/core';
import { expect, it } from 'vitest';
import { createProseStream } from './stream-prose.ts';

const delta = (text: string): AgentEvent => ({ type: 'response-delta', text, label: '1', turn: 1 });
const end = { type: 'response-end', label: '1', turn: 1 } as AgentEvent;

it('a response streams without its calls, and a line that may become one waits until it is whole', () => {
  let read: (() => string) | undefined;
  const stream = (next: typeof read) => void (read = next);
  const view = createProseStream({ stream }, (text) => text.replaceAll(/<[^>]*>/g, ''));
  view(delta('I look.\n<R:a'));
  expect(read?.()).toBe('I look.');
  view(delta('.ts>\nThen'));
  expect(read?.()).toBe('I look.\n\nThen');
  view(end);
  expect(read).toBeUndefined();
  view(delta('Next'));
  expect(read!()).toBe('Next');
});
