import { randomBytes } from 'node:crypto';
import { closeSync, constants, openSync, type Stats, unlinkSync } from 'node:fs';
import { mkdir, open, readdir, rename, unlink, type FileHandle } from 'node:fs/promises';
import { FileError, translateSystemError } from '../errors.ts';
import { PERMISSIONS, refuseIrregular } from '../file/file-content.ts';
import type { PinnedPath } from '../path/pinned-path.ts';
import type { ResolvedPath } from '../path/resolve-path.ts';
import { formatPath } from '../path/show-path.ts';
import { isLockName, removeIfDead } from './file-lock.ts';

export interface AtomicWrite {
  readonly content: Uint8Array;
  /** True to replace read-only files too. */
  readonly force?: boolean | undefined;
  /** Permission bits of a new file. Default: those that the process assigns. */
  readonly mode?: number | undefined;
  /** True to give an existing file these permission bits too. Default: it keeps its own. */
  readonly setsMode?: boolean | undefined;
  /** Gives the complete file its name. Default: renames it. */
  readonly settle?: ((temporary: string, path: string) => Promise<void>) | undefined;
}

const NEW_FILE_MODE = 0o666;
const WRITABLE = 0o222;

/**
 * Replaces the content of a file in one step: a reader sees the old content or the new, never a mixture. Parent folders
 * are created; an existing file keeps its mode, and its owner if that is allowed. After an error, the file has its old
 * content, unless only the very last step failed, which writes the folder to disk.
 *
 * @throws FileError when the path leads to a folder, or a special or read-only file, or the system refuses
 */
export async function writeFileAtomically(file: ResolvedPath, write: AtomicWrite): Promise<void> {
  refuseReadOnly(file, write.force);
  await changeFolder(file, (folder) => replace(folder, file, write));
}

/** Makes the missing folders of a path, and changes the folder that its name is in, which is on disk afterwards. */
export async function changeFolder(file: ResolvedPath, change: (folder: PinnedPath) => Promise<void>): Promise<void> {
  await withFolders(file, file.missingFolders, async (folder) => {
    // Opened before anything is written, so that a folder that cannot be opened is detected early. A rename survives a
    // power failure only when the folder is on disk too.
    await using handle = await folder.open(constants.O_RDONLY | constants.O_DIRECTORY);
    await change(folder);
    await handle.sync();
  });
}

/** Makes folders of a path, each in the one before, and passes on the last one. */
async function withFolders(
  { folder, given }: ResolvedPath,
  names: readonly string[],
  use: (folder: PinnedPath) => Promise<void>,
): Promise<void> {
  const created: PinnedPath[] = [];
  try {
    for (const name of names) created.push(await createFolder(created.at(-1) ?? folder, name));
    await use(created.at(-1) ?? folder);
  } catch (error) {
    throw translateSystemError(error, given);
  } finally {
    for (const one of created) one[Symbol.dispose]();
  }
}

/** Tests whether nobody may write a file, by its permission bits. */
export function isWriteProtected({ mode }: Pick<Stats, 'mode'>): boolean {
  return (mode & WRITABLE) === 0;
}

/** @throws FileError for a file that is not regular, and for a read-only file, unless `force` */
export function refuseReadOnly({ stats, given }: Pick<ResolvedPath, 'stats' | 'given'>, force = false): void {
  if (stats === undefined) return;
  refuseIrregular(stats, given);
  if (!isWriteProtected(stats) || force) return;
  throw new FileError(`${formatPath(given)} is read-only.`, [`<R:${formatPath(given)}>`]);
}

/**
 * Makes a missing folder, and its missing parent folders.
 *
 * @throws FileError when the system refuses
 */
export function makeMissingFolder(folder: ResolvedPath): Promise<void> {
  return withFolders(folder, [...folder.missingFolders, folder.name], async () => undefined);
}

async function createFolder(parent: PinnedPath, name: string): Promise<PinnedPath> {
  await parent.confirm();
  await mkdir(parent.childAddress(name)).catch((error: NodeJS.ErrnoException) => {
    // Another process may have created it first.
    if (error.code !== 'EEXIST') throw error;
  });
  const folder = parent.child(name);
  if (folder?.stats.isDirectory() === true) return folder;
  folder?.[Symbol.dispose]();
  throw Object.assign(new Error(`${name} is not a folder`), { code: 'ENOTDIR' });
}

/** Writes a new file, flushes it to disk and gives it the name of the old one; removes it when that fails. */
async function replace(folder: PinnedPath, { stats, name }: ResolvedPath, write: AtomicWrite): Promise<void> {
  const { content, mode, setsMode = false, settle = rename } = write;
  const temporary = folder.childAddress(createTemporaryName());
  const flags = constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL | constants.O_NOFOLLOW;
  const handle = await open(temporary, flags, stats === undefined ? (mode ?? NEW_FILE_MODE) : stats.mode & 0o700);
  try {
    try {
      await folder.confirm();
      await handle.writeFile(content);
      if (stats !== undefined) await adopt(handle, stats);
      if (mode !== undefined && (stats === undefined || setsMode)) await handle.chmod(mode);
      await handle.sync();
    } finally {
      await handle.close();
    }
    await folder.confirm();
    await settle(temporary, folder.childAddress(name));
  } catch (error) {
    await unlink(temporary).catch(() => undefined);
    throw error;
  }
}

async function adopt(handle: FileHandle, { uid, gid, mode }: Stats): Promise<void> {
  const own = await handle.stat();
  if (own.uid !== uid || own.gid !== gid) await handle.chown(uid, gid).catch(() => undefined);
  // Done last, because writing and changing the owner clear the set-user-id bit.
  await handle.chmod(mode & PERMISSIONS);
}

/** File names of `.bae-`, the id of the writing process, a random part, and `.tmp`. */
const TEMPORARY = /^\.bae-(\d{1,10})-[0-9a-f]{16}\.tmp$/;

/** Returns a name for a temporary file that replaces another one when it is complete. */
export function createTemporaryName(): string {
  return `.bae-${process.pid}-${randomBytes(8).toString('hex')}.tmp`;
}

/** Creates a file that has no name once it is open, and is removed when it is closed; returns its descriptor. */
export function createUnnamedFile(path: string): number {
  const flags = constants.O_RDWR | constants.O_CREAT | constants.O_EXCL | (constants.O_NOFOLLOW ?? 0);
  const descriptor = openSync(path, flags, 0o600);
  try {
    unlinkSync(path);
    return descriptor;
  } catch (error) {
    closeSync(descriptor);
    throw error;
  }
}

/**
 * Age from which a temporary file counts as abandoned, even if its process id was reused, in milliseconds: no write
 * takes that long.
 */
const OLDEST_MS = 60 * 60 * 1000;

/** Removes the temporary files and locks of this user that killed processes left in a folder. Never fails. */
export async function removeLeftovers(folder: PinnedPath): Promise<void> {
  for (const name of await readPinnedNames(folder)) {
    if (isLockName(name)) await removeIfDead(folder.childAddress(name)).catch(() => undefined);
    const writer = TEMPORARY.exec(name)?.[1];
    if (writer === undefined) continue;
    using file = folder.child(name);
    if (file === undefined || !isLeftover(file.stats, Number(writer))) continue;
    await unlink(folder.childAddress(name)).catch(() => undefined);
  }
}

function isLeftover(stats: Stats, writer: number): boolean {
  if (!stats.isFile() && !stats.isSocket()) return false;
  if (process.getuid !== undefined && stats.uid !== process.getuid()) return false;
  if (Date.now() - stats.mtimeMs > OLDEST_MS) return true;
  // In a container, every start may get the same process id.
  if (writer === process.pid) return stats.mtimeMs < performance.timeOrigin;
  return !isRunning(writer);
}

export function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code !== 'ESRCH';
  }
}

async function readPinnedNames(folder: PinnedPath): Promise<readonly string[]> {
  try {
    await folder.confirm();
    return await readdir(folder.address);
  } catch {
    return [];
  }
}
