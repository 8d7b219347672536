import type { Agent, AgentEvent } from '@bae/core';
import { expect, it } from 'vitest';
import { compactBy } from './shell-commands.ts';

type Listener = Parameters<Agent['subscribe']>[0];

it.each([
  ['answered', 'Two ports.', ['Two ports.'], undefined],
  ['limit', 'I look.\n<R:a.txt>', [], /stays as it is/],
  ['answered', ' ', [], /stays as it is/],
  ['aborted', undefined, [], undefined],
] as const)('a turn that ended as %s with %j replaces the conversation by %j', async (outcome, text, kept, reason) => {
  const compacted: string[] = [];
  const listeners = new Set<Listener>();
  const agent = {
    compact: async (summary: string) => void compacted.push(summary),
    subscribe: (listener: Listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
  const said = await compactBy(agent, async () => {
    for (const listener of listeners) await listener({ type: 'turn-end', outcome } as AgentEvent);
    return text;
  });
  expect(compacted).toEqual(kept);
  expect(listeners.size).toBe(0);
  if (reason === undefined) expect(said).toBeUndefined();
  else expect(said).toMatch(reason);
});
