import type { AgentEvent } from '@bae/core';
import { expect, it, onTestFinished, vi } from 'vitest';
import { callEnd } from '../../test/sample-events.ts';
import { SessionUpdates } from './session-updates.ts';

it('of a response that was cut off, nothing is said again in the next turn', () => {
  vi.useFakeTimers({ toFake: ['performance'] });
  onTestFinished(() => void vi.useRealTimers());
  const updates = new SessionUpdates({ root: '/tmp', prose: (text) => text });
  const say = (...events: readonly AgentEvent[]) =>
    events.flatMap((event) => {
      vi.advanceTimersByTime(100);
      return updates.of(event).flatMap((update) => ('content' in update ? [update.content] : []));
    });
  const delta = (turn: number, text: string): AgentEvent => ({ type: 'response-delta', label: '1', turn, text });
  expect(say(delta(1, 'I thi'))).toEqual([{ type: 'text', text: 'I thi' }]);
  const prompt = { type: 'turn-start', label: '1', turn: 2, prompt: 'And now?' } as const;
  const usage = { inputTokens: 1, outputTokens: 1, cachedTokens: 0 };
  const end: AgentEvent = {
    type: 'response-end',
    label: '1',
    turn: 2,
    text: 'Back again.',
    executable: false,
    usage,
    context: 0,
  };
  expect(say(prompt, delta(2, 'Back '), delta(2, 'again.'), end)).toEqual([
    { type: 'text', text: 'Back' },
    { type: 'text', text: ' again.' },
  ]);
});

it('a call is shown as failed if what it ran has failed', () => {
  const updates = new SessionUpdates({ root: '/tmp', prose: (text) => text });
  const statusOf = (event: AgentEvent) => updates.of(event).map((update) => 'status' in update && update.status);
  expect(statusOf(callEnd({}))).toEqual(['completed']);
  expect(statusOf(callEnd({ failed: true }))).toEqual(['failed']);
});
