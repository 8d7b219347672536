import {
  accessSync,
  closeSync,
  constants,
  existsSync,
  lstatSync,
  mkdirSync,
  openSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { Database, migrate, runTransaction } from './database.ts';
import { makeStoreError, StoreError, convertErrors } from './store-error.ts';

/** How a database is opened. */
export interface DatabaseOptions {
  /** Statements that lead from each version of its tables to the next: never changed, only added. Default: none. */
  readonly steps?: readonly string[];
  /** Longest wait for another process that is writing, in milliseconds. Default: 5000. */
  readonly busyMs?: number;
}

/** True when there is a file at the path of a database; does not make one. */
export function hasDatabase(file: string): boolean {
  return statSync(file, { throwIfNoEntry: false }) !== undefined;
}

/**
 * Opens a database, or makes an empty one and the folders above it. Every database is opened here.
 *
 * A transaction is on disk when it is over, and several processes may write in turn.
 *
 * @param file path on a local disk
 * @throws StoreError when the file is no database, or another program's, or a newer bae's (it is left as it is), or
 *   cannot be opened, read or written
 */
export function openDatabase(file: string, { steps, busyMs = 5000 }: DatabaseOptions = {}): Database {
  // SQLite takes some relative names for URIs or gives them a special meaning.
  const path = resolve(file);
  return convertErrors(path, () => {
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
      if (steps !== undefined) migrate(database, steps);
      return database;
    } catch (error) {
      database.close();
      throw error;
    }
  });
}

/** Bytes of a database of one page. */
const SMALLEST = 512;

/**
 * Makes the file, or checks whether it can be a database.
 *
 * An existing file is not opened: closing it again would release the locks that this process holds on it, and
 * another process could then delete what is being written.
 */
function prepareFile(path: string): void {
  refuseLinks(path);
  if (makeFolder(dirname(path))) writeGitignore(dirname(path));
  const stats = statSync(path, { throwIfNoEntry: false });
  if (stats === undefined) {
    makeFile(path);
    return;
  }
  if (!stats.isFile()) throw makeStoreError('no-file', path);
  // SQLite takes a file of very few bytes for an empty database, and writes over it.
  if (stats.size > 0 && stats.size < SMALLEST) throw makeStoreError('no-database', path);
  accessSync(path, constants.R_OK | constants.W_OK);
}

/** Folder of bae in a workspace. A repository can ship it, as a link too, which would lead the database anywhere. */
const OWN_FOLDER = '.bae';

function refuseLinks(path: string): void {
  const folder = dirname(path);
  if (basename(folder) !== OWN_FOLDER) return;
  const link = [folder, path, `${path}-wal`, `${path}-shm`, `${path}-journal`].find(
    (one) => lstatSync(one, { throwIfNoEntry: false })?.isSymbolicLink() === true,
  );
  if (link !== undefined) throw makeStoreError('link', link);
}

function makeFile(path: string): void {
  try {
    // Only the user may read sessions.
    closeSync(openSync(path, 'ax', 0o600));
  } catch (error) {
    if (!isExistsError(error)) throw error;
  }
}

/**
 * Makes a folder and those above it, one by one: otherwise the error of the system does not have the reason.
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
    if (!isExistsError(error)) throw error;
    return false;
  }
}

/** A folder that was made for a database contains nothing for version control. */
function writeGitignore(folder: string): void {
  try {
    writeFileSync(join(folder, '.gitignore'), '*\n', { flag: 'wx' });
  } catch {
    // The database is what counts.
  }
}

/** True when another process made it first. */
function isExistsError(error: unknown): boolean {
  return (error as NodeJS.ErrnoException).code === 'EEXIST';
}

/** Number in the header of every database that bae makes: "bae" and a zero byte. */
const APPLICATION = 0x62616500;

/**
 * Refuses a database of another program, before anything in it is changed.
 *
 * @throws StoreError for a database that is neither empty nor bae's
 */
export function refuseOtherPrograms(database: Database): void {
  // In this order: another process may be making it now, and marks it before adding anything.
  if (isEmptyDatabase(database) || isOurs(database)) return;
  throw new StoreError(`${database.file}: it is a database of another program, and was left as it is.`, [
    'use another file: --db FILE',
  ]);
}

/** Marks an empty database as bae's. */
export function claimDatabase(database: Database): void {
  if (isOurs(database)) return;
  runTransaction(database, () => database.execute(`PRAGMA application_id = ${APPLICATION}`));
}

function isOurs(database: Database): boolean {
  return database.get('PRAGMA application_id')?.['application_id'] === APPLICATION;
}

function isEmptyDatabase(database: Database): boolean {
  return database.get('SELECT 1 FROM sqlite_schema') === undefined;
}

const BUSY = 5;
const PAUSE_MS = 10;

/**
 * Turns on write-ahead logging, so that readers and a writer do not wait for each other.
 *
 * When several processes do this to a new file, SQLite reports at once that it is busy, whatever its timeout; so
 * the waiting is done here.
 */
function switchToWal(driver: DatabaseSync, busyMs: number): void {
  const deadline = performance.now() + busyMs;
  for (;;) {
    try {
      driver.exec('PRAGMA journal_mode = WAL');
      return;
    } catch (error) {
      if (!isBusy(error) || performance.now() > deadline) throw error;
      sleepSync();
    }
  }
}

function isBusy(error: unknown): boolean {
  const { errcode } = error as { errcode?: number };
  return errcode !== undefined && (errcode & 0xff) === BUSY;
}

function sleepSync(): void {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, PAUSE_MS);
}
