import type { Resourcespace, SpaceDefinition, ToolOutput } from '@bae/core';
import { Registry, renderError } from '@bae/core/pipeline';
import { WorkspaceRoot } from '@bae/workspace';
import { onTestFinished } from 'vitest';

const tag = (text: string): string => text;

const requestApproval = async (): Promise<void> => undefined;

type Args = Readonly<Record<string, unknown>>;

/** A space over a folder, called as the router would call it. */
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

  /** The text of a tool's answer, or what its error says with all it advises. */
  async call(verb: string, args: Args, stop = new AbortController()): Promise<string> {
    const tool = this.#space.tools[verb];
    if (tool === undefined) throw new Error(`no tool '${verb}'`);
    const session = { id: 'test', seen: new Map<string, string>() };
    const context = {
      signal: stop.signal,
      space: 'home',
      definition: tool,
      answerLimit: 500,
      tag,
      block: true,
      fromCode: false,
      batch: [],
      requestApproval,
      session,
    };
    try {
      const output = (await tool.invoke(args, context)) as ToolOutput | string;
      return typeof output === 'string' ? output : output.text;
    } catch (error) {
      return renderError(error).text;
    }
  }

  /** What is said on entering the space. */
  async enter(): Promise<string> {
    return this.#space.enter();
  }
}
