import type { LineRange, SessionState, SpaceDefinition, ToolOutput } from '@bae/core';
import { Registry } from '@bae/core/pipeline';
import { FilesystemSpace } from '@bae/filesystem';
import { WorkspaceRoot } from '@bae/workspace';

/** The tools of a filesystem space. */
export interface OpenFiles {
  readonly call: (verb: string, args: Readonly<Record<string, unknown>>, range?: LineRange) => Promise<ToolOutput>;
}

/** A filesystem space over a folder, called as the router calls it. */
export function openFiles(folder: string): OpenFiles {
  const home = { name: 'home', description: 'Home.', tools: {}, enter: () => '', children: () => ({}) };
  const registry = new Registry(home);
  registry.register(new FilesystemSpace(new WorkspaceRoot(folder)));
  const space = registry.at(['filesystem']) as SpaceDefinition;
  const session: SessionState = { id: 'faults', seen: new Map() };
  return {
    call: async (verb, args, range) => {
      const tool = space.tools[verb]!;
      const context = {
        definition: tool,
        files: new Set<string>(),
        answerLimit: 500,
        signal: new AbortController().signal,
        space: 'home',
        block: true,
        fromCode: false,
        batch: [],
        requestApproval: async () => undefined,
        progress: () => undefined,
        output: () => undefined,
        ask: async () => undefined,
        model: () => Promise.resolve(''),
        tag: (tag: string) => tag,
        session,
        ...(range !== undefined && { range }),
      };
      return (await tool.invoke({ all: false, ...args }, context)) as ToolOutput;
    },
  };
}
