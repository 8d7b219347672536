import { tool, type ToolContext } from '@bae/core';

/** The context of a call of a tool without parameters. */
export function toolContext(name: string): ToolContext {
  return {
    signal: new AbortController().signal,
    space: 'source',
    definition: tool('A tool.', {}, () => '').named(name),
    files: new Set(),
    answerLimit: 500,
    block: true,
    fromCode: false,
    batch: [],
    requestApproval: async () => undefined,
    progress: () => undefined,
    output: () => undefined,
    model: () => Promise.resolve(''),
    ask: async () => undefined,
    tag: (tag) => tag,
    session: { id: 'test', seen: new Map() },
  };
}
