import { FileError, PathError } from '../errors.ts';
import { formatPath } from './show-path.ts';

/** The names under which a workspace's root folder is known. */
export interface RootNames {
  /** Absolute names of the root folder, the real one first. */
  readonly roots: readonly string[];
  readonly home: string;
}

/** Most bytes of a path: no system opens longer ones. */
const LONGEST = 4096;
/** Most parts of a path. What is done for every folder on the way would take long, and be remembered for each. */
const DEEPEST = 255;

/**
 * Turns a path into one below the root by its text alone: `./src//a.ts` becomes `src/a.ts`, the root the empty string.
 * `..` is refused even where it would stay inside, because what it leads to depends on links.
 *
 * @throws PathError for NUL, `..`, `~name`, and for absolute and `~` paths outside the root; FileError for a path
 *   of more than 4096 bytes or 255 parts
 */
export function containPath(given: string, names: RootNames): string {
  const path = relativePath(given, names);
  const size = Buffer.byteLength(path);
  if (size > LONGEST) throw tooLongError(given, `is ${size} bytes long; at most ${LONGEST}`);
  const parts = path.split('/').length;
  if (parts > DEEPEST) throw tooLongError(given, `has ${parts} parts; at most ${DEEPEST}`);
  return path;
}

function relativePath(given: string, { roots, home }: RootNames): string {
  if (given.includes('\0')) throw createOutsideError(given, 'it contains a NUL character.');
  if (given.split(/[\\/]/).includes('..')) throw createOutsideError(given, "'..' is not followed.");
  if (/^~[^/]/.test(given)) {
    const cause = `'~' is the home folder. A name that begins so is written ./${formatPath(given)}.`;
    throw createOutsideError(given, cause);
  }
  const expanded = given.startsWith('~') ? home + given.slice(1) : given;
  const parts = splitPath(expanded).join('/');
  if (!expanded.startsWith('/')) return parts;
  const root = roots.find((one) => isWithin(`/${parts}`, one));
  if (root === undefined) throw createOutsideError(given, 'paths are relative to its root folder.');
  return `/${parts}`.slice(root.length).replace(/^\//, '');
}

/** True when an absolute path is a folder or something in it. */
export function isWithin(path: string, folder: string): boolean {
  return path === folder || path.startsWith(folder.endsWith('/') ? folder : `${folder}/`);
}

export function splitPath(path: string): string[] {
  return path.split('/').filter((part) => part !== '' && part !== '.');
}

/** The folder that a path below the root is in; empty for the root. */
export function parentOf(path: string): string {
  return path.slice(0, Math.max(path.lastIndexOf('/'), 0));
}

export function appendPath(folder: string, path: string): string {
  return folder === '' ? path : `${folder}/${path}`;
}

function tooLongError(given: string, fact: string): FileError {
  return new FileError(`${formatPath(given)}: the path ${fact}.`, ['<R:.>']);
}

/** The refusal of a path, with the cause as a sentence and a tag that works. */
export function createOutsideError(given: string, cause: string): PathError {
  const parts: string[] = [];
  for (const part of splitPath(given)) {
    if (part === '..') parts.pop();
    else parts.push(part);
  }
  const name = parts.at(-1) ?? '';
  const tag = /^[\w.-]+$/.test(name) ? `<G:**/${name}>` : '<R:.>';
  return new PathError(`${formatPath(given)} is outside the workspace: ${cause}`, [tag]);
}
