import { BaeError } from '@bae/core';
import { FileError } from './errors/file-error.ts';
import { showPath } from './show-path.ts';

const CAUSES: Readonly<Record<string, string>> = {
  EACCES: 'permission denied',
  EPERM: 'the operation is not permitted',
  EROFS: 'the disk is read-only',
  ENOSPC: 'the disk is full',
  EDQUOT: 'the disk quota is used up',
  ENAMETOOLONG: 'the name is too long',
  ELOOP: 'a part of the path was exchanged while it was used',
  EIO: 'the disk reports an error',
  EMFILE: 'too many files are open',
  ENFILE: 'too many files are open',
  ENOTDIR: 'a part of the path is a file, not a folder',
  EEXIST: 'a part of the path is a file, not a folder',
  EISDIR: 'it is a folder',
  EFBIG: 'the file would be too big',
  ENOENT: 'a part of the path disappeared while it was used',
  ESTALE: 'the folder is no longer there',
};

/** True when a system call failed because nothing has the path. */
export function isMissing(error: unknown): boolean {
  const code = (error as NodeJS.ErrnoException | undefined)?.code;
  return code === 'ENOENT' || code === 'ENOTDIR';
}

/** Turns what the operating system reports into a sentence about the path; other errors come back unchanged. */
export function systemError(error: unknown, given: string): Error {
  const code = (error as NodeJS.ErrnoException | undefined)?.code;
  if (BaeError.is(error) || code === undefined) return error as Error;
  const cause = CAUSES[code] ?? `the system reports ${code}`;
  return new FileError(`${showPath(given)}: ${cause}.`, ['<R:.>'], error);
}
