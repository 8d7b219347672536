import type { Resourcespace, SpaceDefinition, ToolOutput } from '@bae/core';
import { Registry, renderError } from '@bae/core/pipeline';
import { WorkspaceRoot } from '@bae/workspace';
import { onTestFinished } from 'vitest';

/** A space over a folder, whose tools are called as the router calls them. */
export class OpenSubspace {
  readonly #space: SpaceDefinition;

  constructor(folder: string, name: string, create: (root: WorkspaceRoot) => Resourcespace) {
    const home = { name: 'home', description: 'Home.', tools: {}, enter: () => '', children: () => ({}) };
    const registry = new Registry(home);
    const root = new WorkspaceRoot(folder);
    onTestFinished(() => root[Symbol.dispose]());
    registry.register(create(root));
    this.#space = registry.at([name]) as SpaceDefinition;
  }

  /** The text of a result, or of an error with its remedies. */
  async call(verb: string, args: Readonly<Record<string, unknown>>, stop = new AbortController()): Promise<string> {
    const tool = this.#space.tools[verb];
    if (tool === undefined) throw new Error(`no tool '${verb}'`);
    const context = {
      signal: stop.signal,
      space: 'home',
      definition: tool,
      files: new Set<string>(),
      answerLimit: 500,
      tag: (text: string) => text,
      block: true,
      fromCode: false,
      batch: [],
      requestApproval: async () => undefined,
      progress: () => undefined,
      output: () => undefined,
      model: () => Promise.resolve(''),
      ask: async () => undefined,
      session: { id: 'test', seen: new Map<string, string>() },
    };
    try {
      const output = (await tool.invoke(args, context)) as ToolOutput | string;
      return typeof output === 'string' ? output : output.text;
    } catch (error) {
      return renderError(error).text;
    }
  }

  async enter(): Promise<string> {
    return this.#space.enter();
  }
}
