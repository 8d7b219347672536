import { FileError, PathError } from '../errors.ts';
import { showPath } from './show-path.ts';

/** The names under which a workspace's root folder is known. */
export interface RootNames {
  /** Absolute names of the root folder, the real one first. */
  readonly roots: readonly string[];
  /** What `~` stands for. */
  readonly home: string;
}

/** Bytes and parts of the longest path: more no system opens, or nobody means. */
const LONGEST = 4096;
const DEEPEST = 255;

/**
 * The path below the root that a path stands for, judged by its text alone: `./src//a.ts` is `src/a.ts`,
 * the root itself is the empty string.
 *
 * An absolute path inside the root is taken as its relative form. `..` is refused even where it would stay
 * inside, because what it leads to depends on links.
 *
 * @throws PathError for NUL, `..`, `~name`, and for absolute and `~` paths outside the root; FileError for a path
 *   of more than 4096 bytes or 255 parts
 */
export function containPath(given: string, names: RootNames): string {
  const path = inside(given, names);
  const size = Buffer.byteLength(path);
  if (size > LONGEST) throw tooLong(given, `is ${size} bytes long; at most ${LONGEST}`);
  const parts = path.split('/').length;
  // What is done for every folder on the way would take long, and be remembered for every one of them.
  if (parts > DEEPEST) throw tooLong(given, `has ${parts} parts; at most ${DEEPEST}`);
  return path;
}

function inside(given: string, names: RootNames): string {
  if (given.includes('\0')) throw outside(given, 'it contains a NUL character.');
  if (given.split(/[\\/]/).includes('..')) throw outside(given, "'..' is not followed.");
  if (/^~[^/]/.test(given))
    throw outside(given, `'~' is the home folder. A name that begins so is written ./${showPath(given)}.`);
  const expanded = given.startsWith('~') ? names.home + given.slice(1) : given;
  if (!expanded.startsWith('/')) return normal(expanded);
  const absolute = `/${normal(expanded)}`;
  for (const root of names.roots) {
    if (absolute === root) return '';
    const prefix = root === '/' ? root : `${root}/`;
    if (absolute.startsWith(prefix)) return absolute.slice(prefix.length);
  }
  throw outside(given, 'paths are relative to its root folder.');
}

function tooLong(given: string, fact: string): FileError {
  return new FileError(`${showPath(given)}: the path ${fact}.`, ['<R:.>']);
}

/** The refusal of a path, with the cause as a sentence and a tag that works. */
export function outside(given: string, cause: string): PathError {
  return new PathError(`${showPath(given)} is outside the workspace: ${cause}`, [nextStep(given)]);
}

function normal(path: string): string {
  return path
    .split('/')
    .filter((part) => part !== '' && part !== '.')
    .join('/');
}

function nextStep(given: string): string {
  const parts: string[] = [];
  for (const part of given.split('/')) {
    if (part === '..') parts.pop();
    else if (part !== '' && part !== '.') parts.push(part);
  }
  const name = parts.at(-1) ?? '';
  return /^[\w.-]+$/.test(name) ? `<G:**/${name}>` : '<R:.>';
}
