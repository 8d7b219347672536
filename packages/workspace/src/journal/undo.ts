import { BaeError, ConflictError } from '@bae/core';
import { digestOf } from '../file/file-digest.ts';
import { readSnapshot } from '../file/open-file.ts';
import { PathQueue } from '../file/path-queue.ts';
import { type Change, changesOf, type FileVersion, type Operation } from './journal-record.ts';
import { type Journal, type KnownOperation, operationHistory } from './journal.ts';
import { refuseProtected } from '../path/path-protection.ts';
import { findInside, type Place } from '../path/resolve-path.ts';
import type { RootFolder } from '../path/root-folder.ts';
import { showPath, showSize } from '../path/show-path.ts';
import { removeEmptyFolders, removeFile, replaceFile } from '../write/change-file.ts';
import { removeLeftovers } from '../write/write-atomically.ts';

/** What is to be undone. */
export interface UndoRequest {
  /** How many changes, the last one first; what was changed together is one. Default: 1. */
  readonly steps?: number | undefined;
  /** Whose. Default: those of the session that did something last. */
  readonly session?: string | undefined;
  /** How files are called when one cannot be taken back. Default: by path. */
  readonly words?: FileWords | undefined;
}

/** What was undone. */
export interface UndoReport {
  /** In the order they were undone. */
  readonly undone: readonly Operation[];
  /** Why no more were. */
  readonly problem?: BaeError;
}

/** What the undoer works with. */
export interface UndoPorts {
  readonly root: RootFolder;
  readonly journal: Journal;
  /** That of everybody who changes files. */
  readonly queue: PathQueue;
}

/** Takes back operations of a journal, the last one first. An operation that was undone is gone from its end. */
export class Undo {
  readonly #ports: UndoPorts;
  readonly #turns = new PathQueue();

  constructor(ports: UndoPorts) {
    this.#ports = ports;
  }

  /** Operations that can be undone, those of all sessions, newest first. */
  async operations(): Promise<readonly Operation[]> {
    const known = await this.#happened();
    return known.toReversed().toSorted((a, b) => (a.time < b.time ? 1 : a.time > b.time ? -1 : 0));
  }

  /**
   * Undoes changes one by one, each wholly or not at all, and stops at the first that cannot be undone.
   *
   * A process that is killed meanwhile has undone some of them; asking again finishes the one it was at.
   *
   * @param planned what the undo was planned on
   * @throws ConflictError when other changes would be undone by now
   */
  undo(request: UndoRequest, planned?: readonly Change[]): Promise<UndoReport> {
    return this.#turns.run('undo', async () => {
      const undone: Operation[] = [];
      const selected = await this.selected(request);
      if (planned !== undefined && idsOf(planned) !== idsOf(selected)) {
        throw new ConflictError(
          'other changes were made meanwhile. Nothing was undone. Look at them, then undo again.',
          ['<undo:>'],
        );
      }
      for (const change of selected) {
        try {
          await this.#ports.queue.runAll(
            change.map(({ path }) => path),
            async () => {
              if (change.length > 1) for (const operation of change) await this.#check(operation, request);
              for (const operation of change) {
                await this.revert(operation, request);
                undone.push(operation);
              }
            },
          );
        } catch (error) {
          if (!BaeError.is(error)) throw error;
          return { undone, problem: error };
        }
      }
      return { undone };
    });
  }

  /** The changes that an undo takes, in its order. */
  async selected({ steps = 1, session }: UndoRequest): Promise<readonly Change[]> {
    const owner = session ?? (await this.operations())[0]?.session;
    const own = (await this.#happened()).filter((operation) => operation.session === owner);
    return changesOf(own.toReversed()).slice(0, steps);
  }

  /** Throws what taking an operation back would throw now. */
  async #check(operation: Operation, { words }: UndoRequest): Promise<void> {
    const { root, journal } = this.#ports;
    using place = placeOf(operation, root);
    const now = await readSnapshot(place, 0);
    await reversalOf({ operation, now, content: () => journal.content(operation.id), words });
  }

  /** Takes one operation back, for callers that have the lock of its file. */
  async revert(operation: Operation, { words }: UndoRequest = {}): Promise<void> {
    const { root, journal } = this.#ports;
    {
      using place = placeOf(operation, root);
      const now = await readSnapshot(place, 0);
      const content = () => journal.content(operation.id);
      await removeLeftovers(place.folder);
      await apply(await reversalOf({ operation, now, content, words }), place, now?.hash ?? null);
    }
    await removeEmptyFolders(operation.folders, root);
    await journal.undone(operation.id);
  }

  async #happened(): Promise<readonly Operation[]> {
    await this.settle();
    const known = operationHistory(await this.#ports.journal.all());
    return known.flatMap(({ operation, fate }) => (fate === 'happened' ? [operation] : []));
  }

  /** Finds out what became of operations whose process was killed, by what it left, and writes it down. */
  async settle(): Promise<void> {
    const known = operationHistory(await this.#ports.journal.all());
    const open = known.filter(({ fate, running }) => fate === 'open' && !running);
    for (const one of open) await this.#settleOne(one);
  }

  async #settleOne({ operation }: KnownOperation): Promise<void> {
    const { root, journal, queue } = this.#ports;
    const { before, after, folders, id } = operation;
    await queue.run(operation.path, async () => {
      let happened = true;
      try {
        using place = placeOf(operation, root);
        const now = await readSnapshot(place, 0);
        happened = now?.hash !== before?.hash || now?.hash === after?.hash;
        await removeLeftovers(place.folder);
      } catch {
        // Something else is there by now; undoing will say so.
      }
      if (!happened) await removeEmptyFolders(folders, root);
      await journal.end(id, happened);
    });
  }
}

/** The place of an operation's file: it must not lead anywhere else by now. */
export function placeOf({ path, action }: Operation, root: RootFolder): Place {
  const place = findInside(path, root);
  try {
    refuseProtected(place);
    if (place.path === path) return place;
    throw new ConflictError(
      `${showPath(path)} leads to ${showPath(place.path)} by a link that was not there at the ${action}. It was left as it is.`,
      [`<R:${showPath(path)}>`],
    );
  } catch (error) {
    place[Symbol.dispose]();
    throw error;
  }
}

function idsOf(changes: readonly Change[]): string {
  return changes.flatMap((change) => change.map(({ id }) => id)).join('\n');
}

async function apply(reversal: Reversal, place: Place, expected: string | null): Promise<void> {
  if (reversal.kind === 'remove') await removeFile(place, expected);
  if (reversal.kind === 'restore') await replaceFile(place, { ...reversal, expected });
}

/** What takes an operation back, given what is there. */
export type Reversal =
  /** What was there before is there again, or still. */
  | { readonly kind: 'nothing' }
  | { readonly kind: 'remove' }
  | { readonly kind: 'restore'; readonly content: Uint8Array; readonly mode: number };

/** How files are called, and opened, where an undo is asked for. Default everywhere: by path. */
export interface FileWords {
  /** @param path below the root */
  readonly nameOf: (path: string) => string;
  /** The tag that reads a file, or writes one that is gone. */
  readonly tagOf: (verb: 'R' | 'W', path: string) => string;
}

const BY_PATH: FileWords = { nameOf: showPath, tagOf: (verb, path) => `<${verb}:${showPath(path)}>` };

/** What is known when an operation is to be taken back. */
export interface ReversalFacts {
  readonly operation: Operation;
  /** Hash and lines of what is there now; absent when nothing is. */
  readonly now: Pick<FileVersion, 'hash' | 'lines'> | undefined;
  /** The old content, as the journal has it. */
  readonly content: () => Promise<Uint8Array | undefined>;
  readonly words?: FileWords | undefined;
}

/**
 * Decides what takes an operation back exactly, and nothing else with it.
 *
 * @throws ConflictError when the file is not as the operation left it, or its old content is not to be had
 */
export async function reversalOf({ operation, now, content, words = BY_PATH }: ReversalFacts): Promise<Reversal> {
  const { before, after } = operation;
  if (now?.hash !== after?.hash) {
    if (now?.hash === before?.hash) return { kind: 'nothing' };
    throw changedSince(operation, now, words);
  }
  if (before === undefined) return { kind: 'remove' };
  const bytes = await content();
  if (bytes === undefined || digestOf(bytes).hash !== before.hash) throw notKept(operation, words);
  return { kind: 'restore', content: bytes, mode: before.mode };
}

function changedSince(
  { action, path, after }: Operation,
  now: ReversalFacts['now'],
  { nameOf, tagOf }: FileWords,
): ConflictError {
  const shown = nameOf(path);
  if (now === undefined) {
    return new ConflictError(
      `${shown} is gone: somebody removed it after the ${action}. It was left so. Write it anew if it is needed.`,
      [tagOf('W', path)],
    );
  }
  const lines = `${after?.lines ?? 0} -> ${now.lines}`;
  return new ConflictError(
    `${shown} changed after the ${action} that is to be undone (line count ${lines}). It was left as it is. Read it, and change it back by an edit.`,
    [tagOf('R', path)],
  );
}

function notKept({ action, path, before, kept }: Operation, { nameOf, tagOf }: FileWords): ConflictError {
  const shown = nameOf(path);
  const size = showSize(before?.size ?? 0);
  const cause = kept ? 'its old content is not in the journal any more' : `its old content (${size}) was too large`;
  return new ConflictError(`the ${action} of ${shown} cannot be undone: ${cause}. Read it, and change it by an edit.`, [
    tagOf('R', path),
  ]);
}
