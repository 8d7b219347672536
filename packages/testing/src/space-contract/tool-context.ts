import type { ToolContext, ToolDefinition } from '@bae/core';
import type { OpenSpace } from './open-space.ts';

/** What a tool is handed when it is called past the agent. */
export function toolContext(
  { definition: space, agent }: OpenSpace,
  tool: ToolDefinition,
  signal: AbortSignal,
): ToolContext {
  const session = { id: agent.id, seen: new Map<string, string>() };
  return {
    signal,
    space: space.name,
    definition: tool,
    answerLimit: 500,
    tag,
    block: false,
    fromCode: false,
    batch: [],
    session,
    requestApproval: consent,
  };
}

/** It is called in its own place, where tags need not say which that is. */
function tag(text: string): string {
  return text;
}

function consent(): Promise<void> {
  return Promise.resolve();
}
