import { accessSync, constants, readFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { BaeError } from '@bae/core';

/** A database that cannot be opened, read or written; its content is unchanged. */
export class StoreError extends BaeError.withCode({ code: 'BAE_STORE' }) {}

/** Another process has taken over the session: the data of this process was not written. */
export class FencedError extends BaeError {
  constructor(session: string) {
    super(`another process works on session '${session}' now; nothing more is written by this one.`, {
      code: 'BAE_FENCED',
      hints: ['end this process', 'take the session over: resume it'],
    });
  }
}

/** Creates the error for an id that no session has. */
export function makeUnknownSessionError(id: string): StoreError {
  return new StoreError(`no session '${id.slice(0, 60)}'.`, ['list the sessions: bae sessions']);
}

let ownVersion: string | undefined;

/** Returns the version of bae: all of its packages have the same, also the program that contains this one. */
export function readBaeVersion(): string {
  return (ownVersion ??= readPackage().version);
}

function readPackage(): { readonly version: string } {
  return JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8')) as { readonly version: string };
}

/** Tables of a later version than this bae knows. */
interface NewerTables {
  /** Beginning of a sentence: `FILE: it was`. */
  readonly subject: string;
  readonly version: number;
  readonly known: number;
  /** The version of bae that migrated them, if they have it. */
  readonly needs: string | undefined;
}

/** Creates the error for tables that were made by a newer bae. @param other where else this bae can store its data */
export function makeNewerError({ subject, version, known, needs }: NewerTables, other: string): StoreError {
  const made = needs === undefined ? 'a newer bae' : `bae ${needs}, and this is bae ${readBaeVersion()}`;
  const versions = `version ${version} of these tables, this bae knows ${known}`;
  return new StoreError(`${subject} made by ${made} (${versions}). Nothing in it was changed.`, [
    needs === undefined ? 'update bae' : `update bae to ${needs} or later`,
    other,
  ]);
}

const OTHER_FILE = 'use another file: --db FILE';

/** Possible problems of a database, each as a sentence and a remedy. */
const PROBLEMS = {
  'no-permission': ['permission denied', 'fix its permissions'],
  'no-file': ['it is not a file', 'move it away'],
  link: ['it is a link, which may lead out of the workspace', 'move it away'],
  'no-folder': ['a part of the path is a file, not a folder', 'move it away'],
  'no-database': ['it is not a database, and was left unchanged', 'move it away'],
  'no-memory': ['there is not enough memory', 'free some memory'],
  'read-only': ['it is read-only', 'make the file and its folder writable'],
  'read-only-folder': ['its folder is read-only', 'make the file and its folder writable'],
  closed: ['the database is closed', 'open it again'],
  damaged: ['it is damaged', 'keep a copy and restore a good one'],
  disk: ['the disk reports an error, or is full', 'check the disk'],
  full: ['the disk is full', 'free some space'],
  locked: ['another process has kept it locked for too long', 'end the other process'],
  unopened: ['it cannot be opened', 'make the file and its folder writable'],
  'too-long': ['a text is too long', 'store less'],
} as const;

type Problem = keyof typeof PROBLEMS;

/** Primary result codes of SQLite. */
const BY_RESULT: Readonly<Record<number, Problem>> = {
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

/** Error codes of the operating system and of Node. */
const BY_CODE: Readonly<Record<string, Problem>> = {
  EACCES: 'no-permission',
  EPERM: 'no-permission',
  EROFS: 'read-only',
  ENOSPC: 'full',
  EDQUOT: 'full',
  EIO: 'disk',
  ENOTDIR: 'no-folder',
  ERR_INVALID_STATE: 'closed',
  Z_DATA_ERROR: 'damaged',
  Z_BUF_ERROR: 'damaged',
  Z_NEED_DICT: 'damaged',
};

/** Creates the error for a problem with a database. */
export function makeStoreError(problem: Problem, file: string, cause?: unknown): StoreError {
  const [sentence, remedy] = PROBLEMS[problem];
  return new StoreError(`${file}: ${sentence}.`, [remedy, OTHER_FILE], cause);
}

/**
 * Turns an error of SQLite or the operating system into a StoreError; returns other errors unchanged.
 *
 * @param file absolute path of the database
 */
export function toStoreError(error: unknown, file: string): Error {
  const { code, errcode, message } = error as { code?: string; errcode?: number; message: string };
  if (BaeError.is(error) || code === undefined) return error as Error;
  const problem = errcode === undefined ? BY_CODE[code] : classifyResult(errcode & 0xff, file);
  if (problem !== undefined) return makeStoreError(problem, file, error);
  return new StoreError(`${file}: ${message}.`, ['check the file', OTHER_FILE], error);
}

/** Does work with a database, and turns its errors into StoreErrors. */
export function convertErrors<T>(file: string, work: () => T): T {
  try {
    return work();
  } catch (error) {
    throw toStoreError(error, file);
  }
}

function classifyResult(result: number, file: string): Problem | undefined {
  const problem = BY_RESULT[result];
  const isRefused = problem === 'unopened' || problem === 'read-only';
  // The usual reason: the files next to the database cannot be created.
  return isRefused && isReadOnly(dirname(file)) ? 'read-only-folder' : problem;
}

function isReadOnly(folder: string): boolean {
  try {
    accessSync(folder, constants.W_OK);
    return false;
  } catch {
    return true;
  }
}
