import { randomBytes } from 'node:crypto';
import { constants } from 'node:fs';
import { mkdir, open, rename, unlink, type FileHandle } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { FileError } from './errors/file-error.ts';
import { refuseOther } from './open-file.ts';
import type { Place } from './place.ts';
import { showPath } from './show-path.ts';
import { systemError } from './system-error.ts';

const NEW_FILE_MODE = 0o666;
const PERMISSIONS = 0o7777;
const WRITABLE = 0o222;

/**
 * Puts content in a file's place in one step: whoever looks sees the old content or the new, never a mixture,
 * and an error leaves the old. Parent folders are created; an existing file keeps its mode.
 *
 * @throws FileError when the place is a folder, special or read-only, or the system refuses
 */
export async function writeAtomically(place: Place, content: Uint8Array): Promise<void> {
  const { stats, given, absolute } = place;
  if (stats !== undefined) {
    refuseOther(stats, given);
    if ((stats.mode & WRITABLE) === 0) {
      throw new FileError(`${showPath(given)} is read-only.`, [`<R:${showPath(given)}>`]);
    }
  }
  const folder = dirname(absolute);
  try {
    await mkdir(folder, { recursive: true });
    const temporary = join(folder, `.bae-${randomBytes(8).toString('hex')}.tmp`);
    await writeNew(temporary, content, stats?.mode);
    await replace(temporary, absolute);
    await syncFolder(folder);
  } catch (error) {
    throw systemError(error, given);
  }
}

/** Creates a file that must not exist yet, on disk when this returns; removes it when that fails. */
async function writeNew(path: string, content: Uint8Array, mode: number | undefined): Promise<void> {
  const flags = constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL | constants.O_NOFOLLOW;
  const handle = await open(path, flags, mode === undefined ? NEW_FILE_MODE : mode & 0o700);
  try {
    await fill(handle, content, mode);
  } catch (error) {
    await removeQuietly(path);
    throw error;
  }
}

async function fill(handle: FileHandle, content: Uint8Array, mode: number | undefined): Promise<void> {
  try {
    await handle.writeFile(content);
    // After writing, because a write clears the set-user-id bit.
    if (mode !== undefined) await handle.chmod(mode & PERMISSIONS);
    await handle.sync();
  } finally {
    await handle.close();
  }
}

async function replace(temporary: string, absolute: string): Promise<void> {
  try {
    await rename(temporary, absolute);
  } catch (error) {
    await removeQuietly(temporary);
    throw error;
  }
}

/** The rename itself survives a power cut only once the folder is on disk too. */
async function syncFolder(folder: string): Promise<void> {
  const handle = await open(folder, constants.O_RDONLY | constants.O_DIRECTORY);
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}

async function removeQuietly(path: string): Promise<void> {
  await unlink(path).catch(() => undefined);
}
