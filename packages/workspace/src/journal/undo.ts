import { BaeError, ConflictError } from '@bae/core';
import {
  computeFileDigest,
  type FileSnapshot,
  readEntrySnapshot,
  readFileSnapshot,
  getEntryType,
  LINK,
} from '../file/file-content.ts';
import { PathQueue } from '../write/file-lock.ts';
import { PlannedChange } from '../file/planned-change.ts';
import {
  describeLeft,
  type FileVersion,
  type Operation,
  type OperationGroup,
  groupOperations,
} from './journal-record.ts';
import type { Journal } from './journal.ts';
import { isWithin } from '../path/pinned-path.ts';
import { refuseProtected } from '../path/path-protection.ts';
import { type ResolvedPath, resolveBelowRoot } from '../path/resolve-path.ts';
import type { RootFolder } from '../path/root-folder.ts';
import { formatPath, showSize } from '../path/show-path.ts';
import { type FileChange, renderFileChange } from '../text/unified-diff.ts';
import { removeEmptyFolders, removeFile, replaceFile } from '../write/change-file.ts';
import { type AtomicWrite, isWriteProtected, removeLeftovers } from '../write/write-atomically.ts';

/** Names of files, and tags that open them, in the space that requests an undo. Default: paths. */
export interface FileWords {
  /** @param path relative to the root */
  readonly nameOf: (path: string) => string;
  /** Returns the tag that reads a file, or that writes a removed one. */
  readonly tagOf: (verb: 'R' | 'W', path: string) => string;
}

const BY_PATH: FileWords = { nameOf: formatPath, tagOf: (verb, path) => `<${verb}:${formatPath(path)}>` };

export interface UndoRequest {
  /** Number of changes to undo, newest first; a group of operations made together is one change. Default: 1. */
  readonly steps?: number | undefined;
  /** Session whose changes are undone. Default: the session that made the last change. */
  readonly session?: string | undefined;
  /** Names of files in the reason why a change cannot be undone. Default: paths. */
  readonly words?: FileWords | undefined;
}

export interface UndoReport {
  /** Undone operations, in the order they were undone. */
  readonly undone: readonly Operation[];
  /** The reason why no more operations were undone. */
  readonly problem?: BaeError;
}

/** The expected effects of an undo. */
export interface UndoPreview {
  readonly operations: readonly Operation[];
  /** One change for each file. */
  readonly changes: readonly FileChange[];
  /** The reason why the undo would stop there. */
  readonly problem?: BaeError;
}

/** An undo that is planned but not made yet. */
export type PlannedUndo = PlannedChange<UndoReport> & UndoPreview;

/** The version to restore to undo an operation: null to remove the file, undefined if nothing has to change. */
type Reversal = Pick<AtomicWrite, 'content' | 'setsMode' | 'force'> & { readonly mode: number };

type Facts = Omit<FileVersion, 'size'>;

/** A file during the planning of an undo: hash, lines, mode, and all of its bytes. */
interface Content extends Facts {
  readonly bytes: Uint8Array;
}

export interface UndoPorts {
  readonly root: RootFolder;
  readonly journal: Journal;
  /** Locks for all changes of files, by path. */
  readonly queue: PathQueue;
}

/** Undoes operations of a journal, newest first. An undone operation is removed from the end of the journal. */
export class Undo {
  readonly #ports: UndoPorts;
  readonly #turns = new PathQueue();

  constructor(ports: UndoPorts) {
    this.#ports = ports;
  }

  /** Returns the operations of all sessions that can be undone, newest first. */
  async operations(): Promise<readonly Operation[]> {
    const operations = await this.#happened();
    return operations.toReversed().toSorted((a, b) => (a.time < b.time ? 1 : a.time > b.time ? -1 : 0));
  }

  /** Returns the operations that are in journals and are not undone, because no key of the user proves them. */
  unproven(): Promise<readonly Operation[]> {
    return this.#ports.journal.unproven();
  }

  /**
   * Undoes changes one by one, each completely or not at all, and stops at the first that cannot be undone. If the
   * process is killed during an undo, the next undo completes the interrupted change.
   */
  undo(request: UndoRequest, planned?: readonly OperationGroup[]): Promise<UndoReport> {
    return this.#turns.run('undo', async () => {
      const undone: Operation[] = [];
      const selected = await this.#select(request);
      if (planned !== undefined && listIds(planned) !== listIds(selected)) {
        const fact = 'other changes were made in the meantime. Nothing was undone.';
        throw new ConflictError(`${fact} Look at them, then undo again.`, ['<undo:>']);
      }
      for (const group of selected) {
        try {
          const paths = group.map(({ path }) => path);
          await this.#ports.queue.runAll(paths, async () => {
            if (group.length > 1) {
              for (const operation of group) await this.#check(operation, request);
              this.#ports.root.refuseUndeclared(paths);
            }
            for (const operations of divideOperations(group)) await this.#revertTogether(operations, request, undone);
          });
        } catch (error) {
          if (!BaeError.is(error)) throw error;
          return { undone, problem: error };
        }
      }
      return { undone };
    });
  }

  /** Plans an undo: each change is undone in memory, starting from the state that the previous one would leave. */
  async plan(request: UndoRequest): Promise<PlannedUndo> {
    const selected = await this.#select(request);
    const files = new Map<string, { first: Content | undefined; last: Content | undefined }>();
    const operations: Operation[] = [];
    let problem: BaeError | undefined;
    for (const group of selected) {
      try {
        const changed = new Map(files);
        for (const operation of group) {
          const { path } = operation;
          const first = changed.has(path) ? changed.get(path)!.first : await this.#read(operation);
          const last = changed.has(path) ? changed.get(path)!.last : first;
          changed.set(path, { first, last: await this.#revertInMemory(operation, last, request) });
        }
        for (const [path, file] of changed) files.set(path, file);
        operations.push(...group);
      } catch (error) {
        if (!BaeError.is(error)) throw error;
        problem = error;
        break;
      }
    }
    const changes = [...files].map(([path, { first, last }]) => {
      const modes = first && last && ([first.mode, last.mode] as const);
      return {
        path,
        ...(first && { before: first.bytes }),
        ...(last && { after: last.bytes }),
        ...(modes && { modes }),
        type: getEntryType((last ?? first)?.mode),
      };
    });
    const left = describeLeft(operations);
    const stop = problem === undefined ? '' : `and no more: ${problem.message}`;
    const change = new PlannedChange({
      touches: changes.map(({ path }) => ({ path })),
      preview: () => [...changes.map(renderFileChange), left && `${left}\n`, stop].join(''),
      apply: () => this.undo(request, selected),
    });
    return Object.assign(change, { operations, changes, ...(problem !== undefined && { problem }) });
  }

  /** Undoes one operation, for callers that hold the lock of its file. */
  async revert(operation: Operation): Promise<void> {
    await this.#revertTogether([operation], {}, []);
  }

  /**
   * Undoes operations of different files at the same time, because most of the time passes in waiting for the disk.
   * Every file is on disk before the journal says that it is undone, so that a killed undo can be completed.
   *
   * @param undone receives the operations that were undone, even if others fail
   */
  async #revertTogether(operations: readonly Operation[], request: UndoRequest, undone: Operation[]): Promise<void> {
    const { root, journal } = this.#ports;
    const outcomes = await Promise.allSettled(operations.map((operation) => this.#restore(operation, request)));
    const restored = operations.filter((_, index) => outcomes[index]!.status === 'fulfilled');
    for (const { folders } of restored) await removeEmptyFolders(folders, root);
    await journal.note(...restored.map(({ id }) => ({ type: 'undone', id }) as const));
    undone.push(...restored);
    for (const outcome of outcomes) if (outcome.status === 'rejected') throw outcome.reason;
  }

  async #restore(operation: Operation, { words }: UndoRequest): Promise<void> {
    using file = resolveOperation(operation, this.#ports.root);
    const now = await readSnapshotOf(file, operation);
    await removeLeftovers(file.folder);
    const reversal = await this.#planReversal(operation, now, words);
    this.#ports.root.refuseUndeclared([operation.path]);
    const expected = now?.hash ?? null;
    if (reversal === null) await removeFile(file, expected, now?.mode);
    else if (reversal !== undefined) await replaceFile(file, expected, reversal);
  }

  /** Determines from the current files the outcome of operations whose process was killed, and records it. */
  async settle(): Promise<void> {
    const { root, journal, queue } = this.#ports;
    for (const { operation, fate, running } of await journal.history()) {
      if (fate !== 'open' || running) continue;
      const { before, after, folders, id } = operation;
      await queue.run(operation.path, async () => {
        let happened = true;
        try {
          using file = resolveOperation(operation, root);
          const now = await readSnapshotOf(file, operation);
          happened = now?.hash !== before?.hash || now?.hash === after?.hash;
          await removeLeftovers(file.folder);
        } catch {
          // Another file has taken its place; undoing will fail with the reason.
        }
        if (!happened) await removeEmptyFolders(folders, root);
        await journal.note({ type: 'end', id, happened });
      });
    }
  }

  /** Returns the changes to undo, in order. */
  async #select({ steps = 1, session }: UndoRequest): Promise<readonly OperationGroup[]> {
    const owner = session ?? (await this.operations())[0]?.session;
    const own = (await this.#happened()).filter((operation) => operation.session === owner);
    return groupOperations(own.toReversed()).slice(0, steps);
  }

  async #happened(): Promise<readonly Operation[]> {
    await this.settle();
    const known = await this.#ports.journal.history();
    return known.flatMap(({ operation, fate }) => (fate === 'happened' ? [operation] : []));
  }

  async #check(operation: Operation, { words }: UndoRequest): Promise<void> {
    using file = resolveOperation(operation, this.#ports.root);
    await this.#planReversal(operation, await readSnapshotOf(file, operation), words);
  }

  async #read(operation: Operation): Promise<Content | undefined> {
    const { root, journal } = this.#ports;
    using file = resolveOperation(operation, root);
    const snapshot = await readSnapshotOf(file, operation, journal.bounds.bytes);
    return snapshot && { ...snapshot, bytes: snapshot.content ?? Buffer.alloc(snapshot.size) };
  }

  async #revertInMemory(operation: Operation, now: Content | undefined, { words }: UndoRequest) {
    const reversal = await this.#planReversal(operation, now, words);
    if (reversal === undefined) return now;
    if (reversal === null) return undefined;
    const { content, mode, setsMode = false } = reversal;
    return {
      ...computeFileDigest(content),
      bytes: content,
      mode: now === undefined || setsMode ? mode : now.mode,
    };
  }

  /** Determines how to undo exactly one operation, without changing anything else. */
  async #planReversal(
    operation: Operation,
    now: Facts | undefined,
    words: FileWords = BY_PATH,
  ): Promise<Reversal | null | undefined> {
    const { before, after, id } = operation;
    // The mode counts only if the change may have set it.
    const setsMode = after === undefined ? undefined : after.mode !== undefined && getEntryType(after.mode) === 0;
    const isLike = (version: typeof after): boolean =>
      now?.hash === version?.hash &&
      getEntryType(now?.mode) === getEntryType(version?.mode) &&
      (setsMode !== true || now === undefined || now.mode === version?.mode);
    if (!isLike(after)) {
      if (isLike(before)) return undefined;
      throw changedError(operation, now, words);
    }
    if (before === undefined) return null;
    const content = await this.#ports.journal.content(id);
    if (content === undefined || computeFileDigest(content).hash !== before.hash) throw notKeptError(operation, words);
    // A file that was read-only before was changed by force.
    return { content, mode: before.mode, setsMode, force: setsMode === true || isWriteProtected(before) };
  }
}

/** Maximum number of files that are restored at the same time. */
const AT_ONCE = 16;

/**
 * Divides operations into runs of those that can be undone in any order: no file of a run is another one of it, or a
 * folder on the way to it, even where the case of letters does not count.
 */
function divideOperations(operations: readonly Operation[]): readonly (readonly Operation[])[] {
  const runs: Operation[][] = [];
  let paths: string[] = [];
  for (const operation of operations) {
    const path = operation.path.toLowerCase();
    const isApart = paths.every((other) => !isWithin(path, other) && !isWithin(other, path));
    if (runs.length > 0 && paths.length < AT_ONCE && isApart) {
      runs.at(-1)!.push(operation);
      paths.push(path);
    } else {
      runs.push([operation]);
      paths = [path];
    }
  }
  return runs;
}

function listIds(groups: readonly OperationGroup[]): string {
  return groups.flatMap((group) => group.map(({ id }) => id)).join('\n');
}

/** Returns the type bits of what an operation made or removed: 0 for a file. */
function typeOf({ before, after }: Operation): number {
  return getEntryType(before?.mode) || getEntryType(after?.mode);
}

/** Reads what is at the path of an operation, keeping at most `largest` bytes of a file. */
function readSnapshotOf(file: ResolvedPath, operation: Operation, largest = 0): Promise<FileSnapshot | undefined> {
  return (typeOf(operation) === 0 ? readFileSnapshot : readEntrySnapshot)(file, largest);
}

/** Returns the file of an operation; refuses a path that now leads elsewhere. */
function resolveOperation(operation: Operation, root: RootFolder): ResolvedPath {
  const { path, action } = operation;
  const file = resolveBelowRoot(path, root, { itself: typeOf(operation) === LINK });
  try {
    refuseProtected(file);
    if (file.path === path) return file;
    const fact = `${formatPath(path)} leads to ${formatPath(file.path)} by a link that was not there at the ${action}.`;
    throw new ConflictError(`${fact} It was left unchanged.`, [`<R:${formatPath(path)}>`]);
  } catch (error) {
    file[Symbol.dispose]();
    throw error;
  }
}

function changedError(
  { action, path, after }: Operation,
  now: Facts | undefined,
  { nameOf, tagOf }: FileWords,
): ConflictError {
  const name = nameOf(path);
  if (now === undefined) {
    const fact = `${name} is gone: somebody removed it after the ${action}. It was left so.`;
    return new ConflictError(`${fact} Write it again if it is needed.`, [tagOf('W', path)]);
  }
  const what =
    now.hash === after?.hash
      ? `mode ${(after.mode ?? 0).toString(8)} -> ${now.mode.toString(8)}`
      : `line count ${after?.lines ?? 0} -> ${now.lines}`;
  const fact = `${name} changed after the ${action} that is to be undone (${what}). It was left unchanged.`;
  return new ConflictError(`${fact} Read it, and change it back by an edit.`, [tagOf('R', path)]);
}

function notKeptError({ action, path, before, kept }: Operation, { nameOf, tagOf }: FileWords): ConflictError {
  const size = showSize(before?.size ?? 0);
  const cause = kept ? 'its old content is not in the journal any more' : `its old content (${size}) was too large`;
  const fact = `the ${action} of ${nameOf(path)} cannot be undone: ${cause}.`;
  return new ConflictError(`${fact} Read it, and change it by an edit.`, [tagOf('R', path)]);
}
