import { createHash } from 'node:crypto';
import {
  type BigIntStats,
  closeSync,
  constants,
  fstatSync,
  lstatSync,
  openSync,
  readFileSync,
  renameSync,
  unlinkSync,
} from 'node:fs';
import { open, rmdir } from 'node:fs/promises';
import { setTimeout as wait } from 'node:timers/promises';
import { ConflictError } from '@bae/core';
import { isMissing, systemError } from '../errors.ts';
import { chunksOf } from '../file/open-file.ts';
import { findInside, type Place } from '../path/resolve-path.ts';
import type { RootFolder } from '../path/root-folder.ts';
import { showPath } from '../path/show-path.ts';
import { writeAtomically } from './write-atomically.ts';

/** What a file is to become. */
export interface Replacement {
  readonly content: Uint8Array;
  /** SHA-256 of what it has to be until then; null for nothing. */
  readonly expected: string | null;
  /** Permission bits of a file that is new. Default: what the process gives. */
  readonly mode?: number | undefined;
  /** True to replace also a file that nobody may write. */
  readonly force?: boolean | undefined;
}

/**
 * Puts content in a file's place, unless the file is not what is expected when it comes to it.
 *
 * @throws ConflictError when it is not; the file is left as it is
 */
export async function replaceFile(place: Place, { content, expected, mode, force }: Replacement): Promise<void> {
  const settle = async (temporary: string, path: string): Promise<void> => {
    const rename = () => renameSync(temporary, path);
    if (!(await actIfUnchanged({ path, hash: expected }, rename))) throw changedMeanwhile(place);
  };
  await writeAtomically(place, { content, mode, force, settle });
}

/**
 * Removes a file, unless it is not what is expected when it comes to it.
 *
 * @throws ConflictError when it is not; the file is left as it is
 */
export async function removeFile(place: Place, expected: string | null): Promise<void> {
  try {
    await place.folder.confirm();
    const path = place.folder.at(place.name);
    if (!(await actIfUnchanged({ path, hash: expected }, () => unlinkSync(path)))) throw changedMeanwhile(place);
  } catch (error) {
    throw systemError(error, place.given);
  }
}

/**
 * Removes folders that nothing is in.
 *
 * @param folders below the root, outermost first
 */
export async function removeEmptyFolders(folders: readonly string[], root: RootFolder): Promise<void> {
  if (!isFolder(folders[0], root)) return;
  for (const folder of folders.toReversed()) {
    try {
      using place = findInside(folder, root);
      if (place.path !== folder || place.stats?.isDirectory() !== true) continue;
      await rmdir(place.folder.at(place.name));
    } catch {
      // Something is in it, or somebody was faster: then it stays as it is.
      return;
    }
  }
}

/** A quick look, because where the outermost folder is missing there are no others to look for one by one. */
function isFolder(path: string | undefined, root: RootFolder): boolean {
  if (path === undefined) return false;
  try {
    using place = findInside(path, root);
    return place.stats?.isDirectory() === true;
  } catch {
    return false;
  }
}

/** The refusal to change what is not what it was a moment ago. */
export function changedMeanwhile({ given }: Place): ConflictError {
  const shown = showPath(given);
  return new ConflictError(`${shown} was changed by somebody else at this moment. It was left as it is.`, [
    `<R:${shown}>`,
  ]);
}

/** Up to this many bytes a file is looked at without letting anything else in this process run. */
const SMALL = 1024 * 1024;
/** Two changes of a file within this time may leave it the same times. */
const TICK_MS = 50;
/** Looks at a large file that is being written to before it is given up. */
const MOST_LOOKS = 100;
// Windows has neither of the last two flags.
const READ = constants.O_RDONLY | (constants.O_NONBLOCK ?? 0) | (constants.O_NOFOLLOW ?? 0);

/** A file, and the content it is to have. */
export interface ExpectedFile {
  /** Path for system calls. */
  readonly path: string;
  /** SHA-256 in hex; null when nothing is to have the path. */
  readonly hash: string | null;
}

/**
 * Does something to a file if its content is what is expected, and does it at once: nothing else in this process
 * comes between the last look and the act, and another process has the time of one system call.
 *
 * @param act synchronous
 * @returns false when the content is another one, and nothing was done
 */
export async function actIfUnchanged({ path, hash }: ExpectedFile, act: () => void): Promise<boolean> {
  for (let look = 0; look < MOST_LOOKS; look++) {
    const now = lookAtOnce(path);
    if (now !== undefined) {
      if (now !== hash) return false;
      act();
      return true;
    }
    const seen = await lookInPieces(path);
    if (seen?.hash !== hash) return false;
    if (!isSame(seen.stats, lstatSync(path, { bigint: true, throwIfNoEntry: false }))) continue;
    act();
    return true;
  }
  return false;
}

/** Hash of a small file, undefined for a large one; null when nothing is there, empty when it is no regular file. */
function lookAtOnce(path: string): string | null | undefined {
  let descriptor: number | undefined;
  try {
    descriptor = openSync(path, READ);
    const stats = fstatSync(descriptor);
    if (!stats.isFile()) return '';
    if (stats.size > SMALL) return undefined;
    return createHash('sha256').update(readFileSync(descriptor)).digest('hex');
  } catch (error) {
    if (isMissing(error)) return null;
    throw error;
  } finally {
    if (descriptor !== undefined) closeSync(descriptor);
  }
}

interface Look {
  readonly hash: string;
  readonly stats: BigIntStats;
}

/** Times tell only whether a large file has to be read again, never whether it changed. */
async function lookInPieces(path: string): Promise<Look | undefined> {
  try {
    await using file = await open(path, READ);
    const stats = await file.stat({ bigint: true });
    if (Date.now() - Number(stats.mtimeMs) < TICK_MS) await wait(TICK_MS);
    const hash = createHash('sha256');
    for await (const chunk of chunksOf(file)) hash.update(chunk);
    return { hash: hash.digest('hex'), stats };
  } catch (error) {
    if (isMissing(error)) return undefined;
    throw error;
  }
}

function isSame(seen: BigIntStats, now: BigIntStats | undefined): boolean {
  return (
    now !== undefined &&
    seen.ino === now.ino &&
    seen.dev === now.dev &&
    seen.size === now.size &&
    seen.mtimeNs === now.mtimeNs &&
    seen.ctimeNs === now.ctimeNs
  );
}
