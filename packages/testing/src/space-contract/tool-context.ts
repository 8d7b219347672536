import type { ToolContext } from '@bae/core';
import type { OpenSpace } from './open-space.ts';

/** What a tool is handed when it is called past the agent. */
export function toolContext({ definition, agent }: OpenSpace, signal: AbortSignal): ToolContext {
  const session = { id: agent.id, seen: new Map<string, string>() };
  return { signal, space: definition.name, block: false, batch: [], session, requestApproval: consent };
}

function consent(): Promise<void> {
  return Promise.resolve();
}
