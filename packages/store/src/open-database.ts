import { accessSync, closeSync, constants, existsSync, mkdirSync, openSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { claimDatabase, refuseOtherPrograms } from './claim-database.ts';
import { Database } from './database.ts';
import { failure, worded } from './driver-error.ts';
import { switchToWal } from './switch-to-wal.ts';

/** How a database is opened. */
export interface DatabaseOptions {
  /** Longest wait for another process that is writing, in milliseconds. Default: 5000. */
  readonly busyMs?: number;
}

/** Nobody but the user reads what was said in a session. */
const PRIVATE = 0o600;
/** Bytes of a database of one page. */
const SMALLEST = 512;

/**
 * Opens a database, or makes an empty one and the folders above it: the one way to any database.
 *
 * What a transaction has written is on disk when it is over, and several processes may write in turn.
 *
 * @param file path on a local disk
 * @throws StoreError when the file is no database, or another program's (it is left as it is), or cannot be
 *   opened, read or written
 */
export function openDatabase(file: string, { busyMs = 5000 }: DatabaseOptions = {}): Database {
  // An absolute path is never taken for a URI, nor for a name with a meaning of its own.
  const path = resolve(file);
  return worded(path, () => {
    prepareFile(path);
    const driver = new DatabaseSync(path);
    const database = new Database(driver, path);
    try {
      // First, because everything below may have to wait.
      database.execute(`PRAGMA busy_timeout = ${Math.trunc(busyMs)}`);
      refuseOtherPrograms(database);
      switchToWal(driver, busyMs);
      database.execute('PRAGMA synchronous = FULL; PRAGMA foreign_keys = ON');
      claimDatabase(database);
      return database;
    } catch (error) {
      database.close();
      throw error;
    }
  });
}

/**
 * Makes the file, or looks whether it can be a database.
 *
 * A file that is there is not opened: to close it again would take away the locks that this process
 * holds on it, and another process could then delete what is being written.
 */
function prepareFile(path: string): void {
  if (makeFolder(dirname(path))) keepFromGit(dirname(path));
  const stats = statSync(path, { throwIfNoEntry: false });
  if (stats === undefined) {
    makeFile(path);
    return;
  }
  if (!stats.isFile()) throw failure('no-file', path);
  // SQLite takes a file of very few bytes for an empty database, and writes over it.
  if (stats.size > 0 && stats.size < SMALLEST) throw failure('no-database', path);
  accessSync(path, constants.R_OK | constants.W_OK);
}

function makeFile(path: string): void {
  try {
    closeSync(openSync(path, 'ax', PRIVATE));
  } catch (error) {
    if (!isThere(error)) throw error;
  }
}

/**
 * One folder after the other: only so the system says why one cannot be made.
 *
 * @returns true when the last one is new
 */
function makeFolder(folder: string): boolean {
  if (existsSync(folder)) return false;
  makeFolder(dirname(folder));
  try {
    mkdirSync(folder);
    return true;
  } catch (error) {
    if (!isThere(error)) throw error;
    return false;
  }
}

/** A folder that was made for a database has nothing in it for version control. */
function keepFromGit(folder: string): void {
  try {
    writeFileSync(join(folder, '.gitignore'), '*\n', { flag: 'wx' });
  } catch {
    // The database is what counts.
  }
}

/** True when another process was faster. */
function isThere(error: unknown): boolean {
  return (error as NodeJS.ErrnoException).code === 'EEXIST';
}
