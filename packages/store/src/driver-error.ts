import { accessSync, constants } from 'node:fs';
import { dirname } from 'node:path';
import { BaeError } from '@bae/core';
import { StoreError } from './errors/store-error.ts';

const OTHER_FILE = 'or use another file: --db FILE';

/** What can be wrong, and what to do about it. */
const CAUSES = {
  'no-permission': ['permission denied', 'mend its permissions'],
  'no-file': ['it is no file', 'move it away'],
  'no-folder': ['a part of the path is a file, not a folder', 'move it away'],
  'no-database': ['it is no database, and was left as it is', 'move it away'],
  'no-memory': ['there is not enough memory', 'free some memory'],
  'read-only': ['it is read-only', 'make the file and its folder writable'],
  'read-only-folder': ['its folder is read-only', 'make the file and its folder writable'],
  closed: ['the database is closed', 'open it again'],
  damaged: ['it is damaged', 'keep a copy and restore a good one'],
  disk: ['the disk reports an error, or is full', 'look at the disk'],
  full: ['the disk is full', 'free some space'],
  locked: ['another process has kept it locked for too long', 'end the other process'],
  unopened: ['it cannot be opened', 'make the file and its folder writable'],
  'too-long': ['a text is too long', 'store less'],
} as const;

/** What is wrong with a database. */
export type Cause = keyof typeof CAUSES;

/** Primary result codes of SQLite. */
const OF_RESULT: Readonly<Record<number, Cause>> = {
  3: 'no-permission',
  5: 'locked',
  7: 'no-memory',
  8: 'read-only',
  10: 'disk',
  11: 'damaged',
  13: 'full',
  14: 'unopened',
  18: 'too-long',
  26: 'no-database',
};

/** Codes of the operating system, and of Node. */
const OF_CODE: Readonly<Record<string, Cause>> = {
  EACCES: 'no-permission',
  EPERM: 'no-permission',
  EROFS: 'read-only',
  ENOSPC: 'full',
  EDQUOT: 'full',
  EIO: 'disk',
  ENOTDIR: 'no-folder',
  ERR_INVALID_STATE: 'closed',
};

/**
 * Puts what SQLite or the operating system reports about a database into a sentence; other errors come
 * back unchanged.
 *
 * @param file absolute path of the database
 */
export function driverError(error: unknown, file: string): Error {
  const { code, errcode, message } = error as { code?: string; errcode?: number; message: string };
  if (BaeError.is(error) || code === undefined) return error as Error;
  const cause = errcode === undefined ? OF_CODE[code] : causeOfResult(errcode & 0xff, file);
  if (cause === undefined) return new StoreError(`${file}: ${message}.`, ['look at the file', OTHER_FILE], error);
  return failure(cause, file, error);
}

/** Says what is wrong with a database, and what to do about it. */
export function failure(cause: Cause, file: string, error?: unknown): StoreError {
  const [sentence, remedy] = CAUSES[cause];
  return new StoreError(`${file}: ${sentence}.`, [remedy, OTHER_FILE], error);
}

/** Does some work with a database, and puts what goes wrong into a sentence. */
export function worded<T>(file: string, work: () => T): T {
  try {
    return work();
  } catch (error) {
    throw driverError(error, file);
  }
}

function causeOfResult(result: number, file: string): Cause | undefined {
  const cause = OF_RESULT[result];
  const isRefused = cause === 'unopened' || cause === 'read-only';
  // The usual reason: the files beside the database cannot be made.
  return isRefused && isReadOnly(dirname(file)) ? 'read-only-folder' : cause;
}

function isReadOnly(folder: string): boolean {
  try {
    accessSync(folder, constants.W_OK);
    return false;
  } catch {
    return true;
  }
}
