import { createHash } from 'node:crypto';
import { dirname, join, relative, resolve } from 'node:path';
import { readBytes, realPath } from '../disk/read-files.ts';

/** A relative file in an import, a re-export, `import()` or `require()`. */
const IMPORTED = /(?:\bfrom|\bimport|\brequire)\s*\(?\s*(['"`])(\.{1,2}\/[^'"`\n]+)\1/g;

/** What an import without an ending may mean. */
const ENDINGS = ['', '.js', '.mjs', '.cjs', '.ts', '.mts', '.cts', '.json', '/index.js', '/index.ts'];

/**
 * The file and all others of the project that it imports, directly or not; packages are not followed, nor is
 * what a program computes.
 *
 * @returns absolute paths without links, sorted
 */
export function reachedFiles(entry: string): readonly string[] {
  // Links are followed, because that is what imports are relative to.
  const reached = new Set([realPath(entry) ?? resolve(entry)]);
  for (const file of reached) {
    const text = String(readBytes(file) ?? '');
    for (const [, , path] of text.matchAll(IMPORTED)) {
      const found = existing(join(dirname(file), path!));
      if (found !== undefined) reached.add(found);
    }
  }
  return [...reached].toSorted();
}

/** SHA-256, in hexadecimal, of a file and those it imports: their places seen from the first, and what they hold. */
export function codeDigest(entry: string): string {
  const folder = dirname(realPath(entry) ?? resolve(entry));
  const paths = reachedFiles(entry).map((file) => relative(folder, file));
  return digestOfCode(new Map(paths.map((path) => [path, readBytes(join(folder, path)) ?? Buffer.alloc(0)])));
}

/**
 * The same of files that are not on disk yet.
 *
 * @param files what each holds, by its place seen from the one that is imported first, itself included
 */
export function digestOfCode(files: ReadonlyMap<string, Uint8Array>): string {
  const hash = createHash('sha256');
  for (const [path, bytes] of [...files].toSorted(([a], [b]) => (a < b ? -1 : 1))) {
    hash.update(`${path}\0${bytes.length}\0`).update(bytes);
  }
  return hash.digest('hex');
}

function existing(path: string): string | undefined {
  const found = ENDINGS.map((ending) => `${path}${ending}`).find((candidate) => readBytes(candidate) !== undefined);
  return found === undefined ? undefined : realPath(found);
}
