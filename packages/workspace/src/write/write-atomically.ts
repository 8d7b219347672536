import { randomBytes } from 'node:crypto';
import { constants, type Stats } from 'node:fs';
import { type FileHandle, mkdir, open, readdir, rename, unlink } from 'node:fs/promises';
import { FileError, systemError } from '../errors.ts';
import { refuseOther } from '../file/open-file.ts';
import type { Held } from '../path/pinned-path.ts';
import type { Place } from '../path/resolve-path.ts';
import { showPath } from '../path/show-path.ts';

/** What is to become of a file. */
export interface AtomicWrite {
  readonly content: Uint8Array;
  /** True to replace also a file that nobody may write. */
  readonly force?: boolean | undefined;
  /** Permission bits of a file that is new. Default: what the process gives. */
  readonly mode?: number | undefined;
  /** Gives the complete file its name. Default: renames it. */
  readonly settle?: ((temporary: string, path: string) => Promise<void>) | undefined;
}

const NEW_FILE_MODE = 0o666;
const PERMISSIONS = 0o7777;
const WRITABLE = 0o222;

/**
 * Puts content in a file's place in one step: whoever looks sees the old content or the new, never a mixture.
 * Parent folders are created; an existing file keeps its mode, and its owner where that is allowed.
 *
 * After an error the old content is there; only when the very last step fails, bringing the folder to disk, it
 * is the new one.
 *
 * @throws FileError when the place is a folder, special or read-only, or the system refuses
 */
export async function writeAtomically(place: Place, write: AtomicWrite): Promise<void> {
  const { stats, given, name } = place;
  const { content, force = false, mode, settle = rename } = write;
  if (stats !== undefined) {
    refuseOther(stats, given);
    if ((stats.mode & WRITABLE) === 0 && !force) {
      throw new FileError(`${showPath(given)} is read-only.`, [`<R:${showPath(given)}>`]);
    }
  }
  try {
    await using folder = await parentOf(place);
    const temporary = folder.held.at(temporaryName());
    await writeNew(temporary, { content, stats, mode, folder: folder.held });
    await replace(temporary, folder.held, () => settle(temporary, folder.held.at(name)));
    await folder.handle.sync();
  } catch (error) {
    throw systemError(error, given);
  }
}

interface OpenFolder extends AsyncDisposable {
  readonly held: Held;
  /** To bring the folder to disk: a rename survives a power cut only then. */
  readonly handle: FileHandle;
}

/** The folder that a file is written to. It and those above it are created where they are not there. */
async function parentOf({ folder, absent }: Place): Promise<OpenFolder> {
  const created: Held[] = [];
  const release = (): void => {
    for (const one of created) one[Symbol.dispose]();
  };
  try {
    for (const name of absent) created.push(await createFolder(created.at(-1) ?? folder, name));
    const held = created.at(-1) ?? folder;
    // Opened before anything is written, so that a folder that cannot be opened is known in time.
    const handle = await held.open(constants.O_RDONLY | constants.O_DIRECTORY);
    const dispose = async (): Promise<void> => {
      release();
      await handle.close();
    };
    return { held, handle, [Symbol.asyncDispose]: dispose };
  } catch (error) {
    release();
    throw error;
  }
}

async function createFolder(parent: Held, name: string): Promise<Held> {
  await parent.confirm();
  await mkdir(parent.at(name)).catch((error: NodeJS.ErrnoException) => {
    // Somebody else may have been faster.
    if (error.code !== 'EEXIST') throw error;
  });
  const folder = parent.child(name);
  if (folder?.stats.isDirectory() === true) return folder;
  folder?.[Symbol.dispose]();
  throw Object.assign(new Error(`${name} is no folder`), { code: 'ENOTDIR' });
}

interface NewFile {
  readonly content: Uint8Array;
  /** Of the file whose place it takes. */
  readonly stats: Stats | undefined;
  readonly mode: number | undefined;
  readonly folder: Held;
}

/** Creates a file that must not exist yet, on disk when this returns; removes it when that fails. */
async function writeNew(path: string, file: NewFile): Promise<void> {
  const { stats, mode, folder } = file;
  const flags = constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL | constants.O_NOFOLLOW;
  const handle = await open(path, flags, stats === undefined ? (mode ?? NEW_FILE_MODE) : stats.mode & 0o700);
  try {
    await folder.confirm();
    await fill(handle, file);
  } catch (error) {
    await removeQuietly(path);
    throw error;
  }
}

async function fill(handle: FileHandle, { content, stats, mode }: NewFile): Promise<void> {
  try {
    await handle.writeFile(content);
    if (stats !== undefined) await adopt(handle, stats);
    else if (mode !== undefined) await handle.chmod(mode);
    await handle.sync();
  } finally {
    await handle.close();
  }
}

/** Makes a new file belong to whom the old one belongs, and gives it its mode. */
async function adopt(handle: FileHandle, { uid, gid, mode }: Stats): Promise<void> {
  const mine = await handle.stat();
  if (mine.uid !== uid || mine.gid !== gid) await handle.chown(uid, gid).catch(() => undefined);
  // Last, because writing and a new owner clear the set-user-id bit.
  await handle.chmod(mode & PERMISSIONS);
}

async function replace(temporary: string, folder: Held, settle: () => Promise<void>): Promise<void> {
  try {
    await folder.confirm();
    await settle();
  } catch (error) {
    await removeQuietly(temporary);
    throw error;
  }
}

async function removeQuietly(path: string): Promise<void> {
  await unlink(path).catch(() => undefined);
}

/** `.bae-` the process that writes it, a random part, `.tmp`. */
const NAME = /^\.bae-(\d{1,10})-[0-9a-f]{16}\.tmp$/;
/** No write takes as long: what is older was left behind, also when its process number was given out again. */
const OLDEST_MS = 60 * 60 * 1000;

/** A name for a new file that takes another's place when it is complete. */
export function temporaryName(): string {
  return `.bae-${process.pid}-${randomBytes(8).toString('hex')}.tmp`;
}

/**
 * Removes from a folder the temporary files of processes that were killed while they wrote.
 *
 * Only regular files with a name of ours that belong to this user and that nobody writes any more; whatever
 * goes wrong, the folder stays as it is.
 */
export async function removeLeftovers(folder: Held): Promise<void> {
  for (const name of await namesIn(folder)) {
    const writer = NAME.exec(name)?.[1];
    if (writer === undefined) continue;
    using file = folder.child(name);
    if (file === undefined || !isLeftover(file.stats, Number(writer))) continue;
    await unlink(folder.at(name)).catch(() => undefined);
  }
}

function isLeftover(stats: Stats, writer: number): boolean {
  if (!stats.isFile()) return false;
  if (process.getuid !== undefined && stats.uid !== process.getuid()) return false;
  if (Date.now() - stats.mtimeMs > OLDEST_MS) return true;
  // In a container every start may get the same number.
  if (writer === process.pid) return stats.mtimeMs < performance.timeOrigin;
  return !isRunning(writer);
}

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code !== 'ESRCH';
  }
}

async function namesIn(folder: Held): Promise<readonly string[]> {
  try {
    await folder.confirm();
    return await readdir(folder.address);
  } catch {
    return [];
  }
}
