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
import { unpackBody } from './packed-body.ts';
import { makeStoreError, StoreError, convertErrors } from './store-error.ts';

/** Options for opening a database. */
export interface DatabaseOptions {
  /** Statements that migrate each version of its tables to the next: never changed, only added. Default: none. */
  readonly steps?: readonly string[];
  /** Maximum wait for another process that is writing, in milliseconds. Default: 5000. */
  readonly busyMs?: number;
}

/** Tests whether the file of a database exists, without creating it. */
export function hasDatabase(file: string): boolean {
  return statSync(file, { throwIfNoEntry: false }) !== undefined;
}

/**
 * Opens a database, or creates an empty one and its parent folders. All databases are opened here.
 *
 * A finished transaction is on disk, and several processes may take turns writing.
 *
 * @param file path on a local disk
 * @throws StoreError when the file is not a database, belongs to another program or a newer bae (it is left unchanged),
 *   or cannot be opened, read or written
 */
export function openDatabase(file: string, { steps, busyMs = 5000 }: DatabaseOptions = {}): Database {
  // SQLite treats some relative names as URIs or gives them a special meaning.
  const path = resolve(file);
  return convertErrors(path, () => {
    prepareFile(path);
    const driver = new DatabaseSync(path);
    const database = new Database(driver, path);
    try {
      // Set this first, because everything below may have to wait.
      database.execute(`PRAGMA busy_timeout = ${Math.trunc(busyMs)}`);
      refuseOtherPrograms(database);
      driver.function('unpack', { deterministic: true }, unpackBody);
      // Of a new file: most rows are texts of a few hundred bytes to some thousand, and larger pages waste less.
      database.execute('PRAGMA page_size = 8192');
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

/** Size of a database with one page, in bytes. */
const SMALLEST = 512;

/**
 * Creates the file, or checks whether it can be a database.
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
  // SQLite treats a file of very few bytes as an empty database, and overwrites it.
  if (stats.size > 0 && stats.size < SMALLEST) throw makeStoreError('no-database', path);
  accessSync(path, constants.R_OK | constants.W_OK);
}

/** Folder of bae in a workspace. A repository may contain it, even as a link, which could point anywhere. */
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
    // Only the user may read the sessions.
    closeSync(openSync(path, 'ax', 0o600));
  } catch (error) {
    if (!isExistsError(error)) throw error;
  }
}

/**
 * Creates a folder and its parent folders one by one: otherwise the system error does not give the reason.
 *
 * @returns true when the folder itself is new
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

/** Excludes a folder that was created for a database from version control. */
function writeGitignore(folder: string): void {
  try {
    writeFileSync(join(folder, '.gitignore'), '*\n', { flag: 'wx' });
  } catch {
    // A failure does not matter: the database works without it.
  }
}

/** Tests for the error that another process created the file or folder first. */
function isExistsError(error: unknown): boolean {
  return (error as NodeJS.ErrnoException).code === 'EEXIST';
}

/** Number in the header of every database of bae: "bae" and a zero byte. */
const APPLICATION = 0x62616500;

/**
 * Refuses a database of another program, before anything in it is changed.
 *
 * @throws StoreError for a database that is neither empty nor bae's
 */
export function refuseOtherPrograms(database: Database): void {
  // The order matters: another process may be creating it now, and marks it before adding anything.
  if (isEmptyDatabase(database) || isOurs(database)) return;
  throw new StoreError(`${database.file}: it is a database of another program, and was left unchanged.`, [
    'use another file: --db FILE',
  ]);
}

/** Marks an empty database as one of bae. */
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
 * When several processes do this to a new file, SQLite reports at once that it is busy, regardless of its timeout, so
 * this function waits.
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
