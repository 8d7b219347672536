import { BaeError } from '@bae/core';
import { formatPath } from './path/show-path.ts';

/** A path that leads, or may lead, out of the workspace; nothing was opened. */
export class PathError extends BaeError.withCode({ code: 'BAE_PATH' }) {}

/** A file or folder that exists but cannot be used: a pipe, a folder, no permission, a full disk. */
export class FileError extends BaeError.withCode({ code: 'BAE_FILE' }) {}

/** A file or folder that does not exist; names the one that was probably meant. */
export class FileNotFoundError extends BaeError.withCode({ code: 'BAE_FILE_NOT_FOUND' }) {}

/** A binary file where a text file is needed. */
export class BinaryFileError extends BaeError.withCode({ code: 'BAE_BINARY_FILE' }) {}

/** A file that tools never write, or whose content is shown only with the user's consent. */
export class ProtectedFileError extends BaeError.withCode({ code: 'BAE_PROTECTED_FILE' }) {}

/** A change of a file that the call did not declare; the file is untouched. */
export class UndeclaredChangeError extends BaeError.withCode({ code: 'BAE_UNDECLARED_CHANGE' }) {}

/** An edit that is ambiguous or incomplete; the file is untouched. */
export class EditError extends BaeError.withCode({ code: 'BAE_EDIT' }) {}

/** A regular expression or file pattern that cannot be used, with the position and the reason. */
export class PatternError extends BaeError.withCode({ code: 'BAE_PATTERN' }) {}

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

/** Returns true when a system call failed because the path does not exist. */
export function isMissingFile(error: unknown): boolean {
  const code = (error as NodeJS.ErrnoException | undefined)?.code;
  return code === 'ENOENT' || code === 'ENOTDIR';
}

/** Translates an error of the operating system into a sentence about the path; returns other errors unchanged. */
export function translateSystemError(error: unknown, given: string): Error {
  const code = (error as NodeJS.ErrnoException | undefined)?.code;
  if (BaeError.is(error) || code === undefined) return error as Error;
  const cause = CAUSES[code] ?? `the system reports ${code}`;
  return new FileError(`${formatPath(given)}: ${cause}.`, ['<R:.>'], error);
}
