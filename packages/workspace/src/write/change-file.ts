import { createHash } from 'node:crypto';
import {
  closeSync,
  constants,
  fstatSync,
  lstatSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  renameSync,
  rmdirSync,
  symlinkSync,
  unlinkSync,
  type BigIntStats,
} from 'node:fs';
import { open, rmdir } from 'node:fs/promises';
import { setTimeout as wait } from 'node:timers/promises';
import { ConflictError } from '@bae/core';
import { isMissingFile, translateSystemError } from '../errors.ts';
import { computeFileDigest, PERMISSIONS, readInChunks, getEntryType, LINK } from '../file/file-content.ts';
import type { PinnedPath } from '../path/pinned-path.ts';
import { resolveBelowRoot, type ResolvedPath } from '../path/resolve-path.ts';
import type { RootFolder } from '../path/root-folder.ts';
import { formatPath } from '../path/show-path.ts';
import { runLocked } from './file-lock.ts';
import { changeFolder, writeFileAtomically, type AtomicWrite } from './write-atomically.ts';

/**
 * Replaces the content of a file, unless it differs from the expected content at that moment. With a mode that has type
 * bits, makes a link or an empty folder.
 */
export async function replaceFile(file: ResolvedPath, expected: string | null, write: AtomicWrite): Promise<void> {
  const { content, mode = 0 } = write;
  if (getEntryType(mode) !== 0) return makeLinkOrFolder(file, { content, mode });
  const settle = async (temporary: string, path: string): Promise<void> => {
    const rename = () => renameSync(temporary, path);
    if ((await runLocked(path, () => actIfUnchanged(path, expected, rename))) !== true) throw createConflict(file);
  };
  await writeFileAtomically(file, { ...write, settle });
}

/** @param mode of what is removed: with type bits for a link or an empty folder */
export async function removeFile(file: ResolvedPath, expected: string | null, mode = 0): Promise<void> {
  if (getEntryType(mode) !== 0) return removeLinkOrFolder(file, { expected, mode });
  try {
    await file.folder.confirm();
    const path = file.folder.childAddress(file.name);
    const unlink = () => unlinkSync(path);
    if ((await runLocked(path, () => actIfUnchanged(path, expected, unlink))) !== true) throw createConflict(file);
  } catch (error) {
    throw translateSystemError(error, file.given);
  }
}

/** Makes a link or an empty folder, and its missing folders, unless the name is taken by then. */
async function makeLinkOrFolder(
  file: ResolvedPath,
  { content, mode }: { readonly content: Uint8Array; readonly mode: number },
): Promise<void> {
  await changeFolder(file, async (folder) => {
    const path = folder.childAddress(file.name);
    const make = getEntryType(mode) === LINK ? () => symlinkSync(Buffer.from(content), path) : () => mkdirSync(path);
    refuseLate(file, make);
    if (getEntryType(mode) !== LINK && (mode & PERMISSIONS) !== 0) await restoreMode(folder, file.name, mode);
  });
}

/** Gives a new folder permission bits: that folder, even if its name leads elsewhere by then. */
async function restoreMode(parent: PinnedPath, name: string, mode: number): Promise<void> {
  using made = parent.child(name);
  await using handle = await made?.open(constants.O_RDONLY | constants.O_DIRECTORY);
  await handle?.chmod(mode & PERMISSIONS);
}

/**
 * Removes a link, but nothing that it leads to, or an empty folder.
 *
 * @param expected hash of where the link leads
 * @throws ConflictError when the link leads elsewhere, or the folder is not empty
 */
async function removeLinkOrFolder(
  file: ResolvedPath,
  { expected, mode }: { readonly expected: string | null; readonly mode: number },
): Promise<void> {
  try {
    await file.folder.confirm();
    const path = file.folder.childAddress(file.name);
    refuseLate(file, () => {
      if (getEntryType(mode) !== LINK) return rmdirSync(path);
      if (computeFileDigest(readlinkSync(path, 'buffer')).hash !== expected) throw createConflict(file);
      unlinkSync(path);
    });
  } catch (error) {
    throw translateSystemError(error, file.given);
  }
}

/** What the system answers when a name has become something else in the meantime. */
const LATE = new Set(['EEXIST', 'EINVAL', 'ENOENT', 'ENOTDIR', 'ENOTEMPTY']);

function refuseLate(file: ResolvedPath, act: () => void): void {
  try {
    act();
  } catch (error) {
    throw LATE.has((error as NodeJS.ErrnoException).code ?? '') ? createConflict(file) : error;
  }
}

export function createConflict({ given }: Pick<ResolvedPath, 'given'>): ConflictError {
  const name = formatPath(given);
  const message = `${name} was changed by someone else at the same moment. It was left unchanged.`;
  return new ConflictError(message, [`<R:${name}>`]);
}

/** Removes the empty ones of some folders, given outermost first. */
export async function removeEmptyFolders(folders: readonly string[], root: RootFolder): Promise<void> {
  const { draft } = root;
  for (const path of folders.toReversed()) {
    try {
      using folder = resolveBelowRoot(path, root);
      if (folder.path !== path || folder.stats?.isDirectory() !== true) continue;
      if (draft !== undefined) {
        if (draft.list(path, readdirSync(folder.target!.address, { withFileTypes: true })).length > 0) return;
        draft.removeFolder(path);
        continue;
      }
      await rmdir(folder.folder.childAddress(folder.name));
    } catch {
      // The folder is not empty, or another program has removed it; it is left alone.
      return;
    }
  }
}

/** Maximum size of a file that is compared synchronously, in bytes. */
const SMALL = 1024 * 1024;
/** Time within which two changes of a file may give it the same timestamps, in milliseconds. */
const TICK_MS = 50;
/** Maximum number of attempts to compare a large file that is being written to. */
const MOST_TRIES = 100;
// Windows has neither of the last two flags.
const READ = constants.O_RDONLY | (constants.O_NONBLOCK ?? 0) | (constants.O_NOFOLLOW ?? 0);

/**
 * Acts on a file immediately if it has the expected content: no other code of this process runs between the last
 * comparison and the action, and another process can interfere only during one system call.
 *
 * @param hash SHA-256 in hex; null when the path must not exist
 * @returns false when the content differs, and nothing was done
 */
export async function actIfUnchanged(path: string, hash: string | null, act: () => void): Promise<boolean> {
  for (let attempt = 0; attempt < MOST_TRIES; attempt++) {
    const small = hashSmallFile(path);
    if (small === undefined) {
      const large = await hashLargeFile(path);
      if (large?.hash !== hash) return false;
      if (!isSameVersion(large.stats, lstatSync(path, { bigint: true, throwIfNoEntry: false }))) continue;
    } else if (small !== hash) return false;
    act();
    return true;
  }
  return false;
}

/**
 * Returns the hash of a small file, undefined for a large one; null when it does not exist, empty when it is not a
 * regular file.
 */
function hashSmallFile(path: string): string | null | undefined {
  let descriptor: number | undefined;
  try {
    descriptor = openSync(path, READ);
    const stats = fstatSync(descriptor);
    if (!stats.isFile()) return '';
    if (stats.size > SMALL) return undefined;
    return createHash('sha256').update(readFileSync(descriptor)).digest('hex');
  } catch (error) {
    if (isMissingFile(error)) return null;
    throw error;
  } finally {
    if (descriptor !== undefined) closeSync(descriptor);
  }
}

/** Hashes a large file. Timestamps decide only whether it has to be read again, never whether it changed. */
async function hashLargeFile(path: string): Promise<{ hash: string; stats: BigIntStats } | undefined> {
  try {
    await using file = await open(path, READ);
    const stats = await file.stat({ bigint: true });
    if (Date.now() - Number(stats.mtimeMs) < TICK_MS) await wait(TICK_MS);
    const hash = createHash('sha256');
    for await (const chunk of readInChunks(file)) hash.update(chunk);
    return { hash: hash.digest('hex'), stats };
  } catch (error) {
    if (isMissingFile(error)) return undefined;
    throw error;
  }
}

function isSameVersion(before: BigIntStats, now: BigIntStats | undefined): boolean {
  if (now === undefined) return false;
  return (['ino', 'dev', 'size', 'mtimeNs', 'ctimeNs'] as const).every((key) => before[key] === now[key]);
}
