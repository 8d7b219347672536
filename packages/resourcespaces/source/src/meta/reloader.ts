import type { ToolContext } from '@bae/core';
import { getChangeId, undoChanges, type Operation, type WorkspaceRoot } from '@bae/workspace';
import { ReloadError } from '../errors.ts';
import type { MetaHost, ReloadableSpace } from '../provide-source.ts';
import { isBelow } from './loaded-spaces.ts';

/** Longest time of a build of code that was restored, in milliseconds. */
const REBUILD_MS = 60_000;

/** Reloads the code of spaces, and undoes what a session changed in code that cannot be loaded any more. */
export class Reloader {
  readonly #root: WorkspaceRoot;
  readonly #host: MetaHost;
  /** By folder of code: the operations of the session that are part of the loaded code. */
  readonly #loaded = new Map<string, ReadonlySet<string>>();

  constructor(root: WorkspaceRoot, host: MetaHost) {
    this.#root = root;
    this.#host = host;
  }

  /**
   * Reloads a space. The caller has asked for consent.
   *
   * @returns the result, one line
   */
  async reload(space: ReloadableSpace, context: ToolContext): Promise<string> {
    const { name, folder } = space;
    if (space.needsRestart) return `${name} runs the tools of this session: a change takes effect after restart.`;
    const own = await this.#listOperations(context);
    try {
      await this.#host.reload(name, context.signal);
    } catch (error) {
      return await this.#rollBack(space, error, context);
    }
    this.#loaded.set(folder, new Set(own.map(({ id }) => id)));
    return `Reloaded ${name}.`;
  }

  async #rollBack(space: ReloadableSpace, error: unknown, context: ToolContext): Promise<string> {
    const { name, folder } = space;
    const cause = `${name} cannot be loaded: ${describeReloadError(error)}.`;
    const pending = this.#listPending(await this.#listOperations(context), folder);
    const own = pending.filter(({ path }) => isBelow(folder, path));
    if (own.length > 0 && own.every(({ before }) => before === undefined))
      return `Warning: ${cause} Nothing but new modules was added, and they stay; the code from before stays in use.`;
    if (own.length === 0) throw new ReloadError(`${cause} The code from before stays in use.`, [], error);
    const changes = new Set(own.map(getChangeId));
    const since = pending.slice(0, pending.findLastIndex((operation) => changes.has(getChangeId(operation))) + 1);
    if (since.length > own.length)
      throw new ReloadError(
        `${cause} Not rolled back: other files were changed in between, or together with it. The code from before stays in use.`,
        ['<undo:>'],
        error,
      );
    const { errors: [problem] = [], text } = await undoChanges(this.#root, { steps: changes.size }, context);
    if (problem !== undefined) throw new ReloadError(`${cause} Not all was rolled back: ${problem.message}`, [], error);
    // Not with the signal of the call: what is built has to match the code, also when the call was aborted.
    await this.#host.rebuild(name, AbortSignal.timeout(REBUILD_MS));
    throw new ReloadError(`${cause} Rolled back.\n${text}`, [`<source.meta.R:${name}>`], error);
  }

  /** Operations since the code of a folder was loaded, newest first. */
  #listPending(own: readonly Operation[], folder: string): readonly Operation[] {
    const loaded = this.#loaded.get(folder);
    const last = own.findIndex(({ id }) => loaded?.has(id) === true);
    return last < 0 ? own : own.slice(0, last);
  }

  async #listOperations({ session }: ToolContext): Promise<readonly Operation[]> {
    return (await this.#root.operations()).filter((operation) => operation.session === session.id);
  }
}

function describeReloadError(error: unknown): string {
  return (error instanceof Error ? `${error.name}: ${error.message}` : String(error)).replace(/\.$/, '');
}
