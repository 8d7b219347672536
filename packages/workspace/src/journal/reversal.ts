import { ConflictError } from '@bae/core';
import { digestOf } from '../file-digest.ts';
import { showPath } from '../show-path.ts';
import { showSize } from '../show-size.ts';
import type { FileVersion, Operation } from './operation.ts';

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
