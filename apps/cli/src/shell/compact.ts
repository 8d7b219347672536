import type { Agent } from '@bae/core';

/**
 * Replaces a conversation by the summary that a turn answers with. Resolves to the reason if that turn was stopped
 * before its answer: what the model wrote until then is no summary.
 *
 * @param ask takes the turn; resolves to undefined if it was cancelled or failed, as was said then
 */
export async function compactBy(
  agent: Pick<Agent, 'compact' | 'subscribe'>,
  ask: () => Promise<string | undefined>,
): Promise<string | undefined> {
  let isAnswered = false;
  const stop = agent.subscribe((event) => {
    if (event.type === 'turn-end') isAnswered = event.outcome === 'answered';
  });
  const summary = await ask().finally(stop);
  if (summary === undefined) return undefined;
  if (!isAnswered || summary.trim() === '')
    return 'the model wrote no summary before the turn ended, so the conversation stays as it is.';
  await agent.compact(summary);
  return undefined;
}
