import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { LineRange, SearchHit, SessionState, SpaceDefinition, ToolOutput } from '@bae/core';
import { Registry, renderError } from '@bae/core/pipeline';
import { WorkspaceRoot } from '@bae/workspace';
import { FilesystemSpace } from '../src/filesystem-space.ts';
import { temporaryFolder } from './temporary-folder.ts';

/** What a call has besides its arguments. */
interface CallDetails {
  readonly range?: LineRange;
  readonly argument?: string;
  readonly block?: boolean;
  /** Default: false. */
  readonly fromCode?: boolean;
}

type Args = Readonly<Record<string, unknown>>;

/** A filesystem space over a new folder, called as the router would call it. */
export class OpenSpace {
  readonly folder: string;
  readonly session: SessionState = { id: 'test', seen: new Map() };
  readonly #space: SpaceDefinition;

  constructor(folder: string) {
    this.folder = folder;
    const registry = new Registry({
      name: 'home',
      description: 'Home.',
      tools: {},
      enter: () => '',
      children: () => ({}),
    });
    registry.register(new FilesystemSpace(new WorkspaceRoot(folder)));
    this.#space = registry.at(['filesystem']) as SpaceDefinition;
  }

  /** Calls a tool; fails where the tool fails. */
  async output(verb: string, args: Args, details: CallDetails = {}): Promise<ToolOutput> {
    const tool = this.#space.tools[verb];
    if (tool === undefined) throw new Error(`no tool '${verb}'`);
    const context = {
      signal: new AbortController().signal,
      space: 'home',
      definition: tool,
      files: new Set<string>(),
      answerLimit: 500,
      block: true,
      fromCode: false,
      batch: [],
      requestApproval: async () => undefined,
      progress: () => undefined,
      output: () => undefined,
      model: () => Promise.resolve(''),
      ask: async () => undefined,
      tag: (tag: string) => tag,
      session: this.session,
      ...details,
    };
    const all = { ...(verb === 'read' ? {} : { all: false }), ...args };
    return (await tool.invoke(all, context)) as ToolOutput;
  }

  /** The text of a tool's result or error. */
  async call(verb: string, args: Args, details: CallDetails = {}): Promise<string> {
    try {
      return (await this.output(verb, args, details)).text;
    } catch (error) {
      return renderError(error).text;
    }
  }

  /** Shows files to the session, so that it may change their lines. */
  async read(...targets: readonly string[]): Promise<void> {
    for (const target of targets) await this.output('read', { target });
  }

  /** The text on entering the space. */
  async enter(): Promise<string> {
    return this.#space.enter();
  }

  /** What a search over all spaces finds here. */
  async search(query: string, limit: number): Promise<readonly SearchHit[]> {
    return (await this.#space.search?.(query, limit)) ?? [];
  }

  /** The content of a file right now. */
  content(path: string): string {
    return readFileSync(join(this.folder, path), 'utf8');
  }
}

/** A filesystem space over a new folder with these files. */
export function openSpace(files: Readonly<Record<string, string | Uint8Array>> = {}): OpenSpace {
  return new OpenSpace(temporaryFolder(files));
}
