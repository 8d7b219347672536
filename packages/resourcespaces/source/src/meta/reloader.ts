import type { ToolContext } from '@bae/core';
import { changeOf, undoChanges, type Operation, type WorkspaceRoot } from '@bae/workspace';
import { ReloadError } from '../errors/reload-error.ts';
import { isBelow } from './is-below.ts';
import type { MetaHost, ReloadableSpace } from './meta-host.ts';

/** Longest time of a build of code that was put back, in milliseconds. */
const REBUILD_MS = 60_000;

/**
 * Loads the code of spaces anew, and takes back what a session changed in the code of one that cannot be loaded any
 * more.
 */
export class Reloader {
  readonly #root: WorkspaceRoot;
  readonly #host: MetaHost;
  /** By folder of code: the operations of the session that are part of what is loaded. */
  readonly #loaded = new Map<string, ReadonlySet<string>>();

  constructor(root: WorkspaceRoot, host: MetaHost) {
    this.#root = root;
    this.#host = host;
  }

  /**
   * Loads a space anew. Whoever decides over that has been asked.
   *
   * @returns what came of it, one line
   * @throws ReloadError when it cannot be loaded; the code from before stays in use
   */
  async reload(space: ReloadableSpace, context: ToolContext): Promise<string> {
    const { name, folder } = space;
    if (space.needsRestart) return `${name} runs the tools of this session: a change takes effect after restart.`;
    const own = await this.#ownOperations(context);
    try {
      await this.#host.reload(name, context.signal);
    } catch (error) {
      return await this.#refuse(space, error, context);
    }
    this.#loaded.set(folder, new Set(own.map(({ id }) => id)));
    return `Reloaded ${name}.`;
  }

  async #refuse(space: ReloadableSpace, error: unknown, context: ToolContext): Promise<string> {
    const { name, folder } = space;
    const cause = `${name} cannot be loaded: ${reasonOf(error)}.`;
    const pending = this.#pending(await this.#ownOperations(context), folder);
    const own = pending.filter(({ path }) => isBelow(folder, path));
    if (own.length > 0 && own.every(({ before }) => before === undefined))
      return `Warning: ${cause} Nothing but new modules was added, and they stay; the code from before stays in use.`;
    if (own.length === 0) throw new ReloadError(`${cause} The code from before stays in use.`, [], error);
    const changes = new Set(own.map(changeOf));
    const since = pending.slice(0, pending.findLastIndex((operation) => changes.has(changeOf(operation))) + 1);
    if (since.length > own.length)
      throw new ReloadError(
        `${cause} Not rolled back: other files were changed in between, or together with it. The code from before stays in use.`,
        ['<undo:>'],
        error,
      );
    const undone = await undoChanges(this.#root, { steps: changes.size }, context);
    if ((undone.errors ?? []).length > 0)
      throw new ReloadError(`${cause} Not all was rolled back: ${undone.errors![0]!.message}`, [], error);
    // Also when the call was broken off: what is built is to be that of the code.
    await this.#host.putBack(name, AbortSignal.timeout(REBUILD_MS));
    throw new ReloadError(`${cause} Rolled back.\n${undone.text}`, [`<source.meta.R:${name}>`], error);
  }

  /** What was changed since the code of a folder was loaded, newest first. */
  #pending(own: readonly Operation[], folder: string): readonly Operation[] {
    const last = own.findIndex(({ id }) => this.#loaded.get(folder)?.has(id) === true);
    return last < 0 ? own : own.slice(0, last);
  }

  async #ownOperations({ session }: ToolContext): Promise<readonly Operation[]> {
    return (await this.#root.operations()).filter((operation) => operation.session === session.id);
  }
}

function reasonOf(error: unknown): string {
  return (error instanceof Error ? `${error.name}: ${error.message}` : String(error)).replace(/\.$/, '');
}
