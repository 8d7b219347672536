import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { OWN_DATA, type PathProtection } from './path-protection.ts';

/** A file or folder that no tool writes. */
export interface ProtectedEntry {
  /** Absolute. */
  readonly path: string;
  readonly isFolder: boolean;
  /** True for bae's own data, which no tool may open either. */
  readonly isOwn: boolean;
}

/** Folders that are looked into below the root, and how many at most. */
const DEEPEST = 3;
const MOST_FOLDERS = 500;
/** A mount is made of each of them. */
const MOST_FOUND = 200;
/** git itself writes into its folder, and what is built or installed is replaced as a whole. */
const SKIPPED = new Set(['.git', 'node_modules', 'dist', 'build', 'out', 'target', 'coverage', '.venv', 'venv']);

/**
 * Lists the protected files and folders in a folder, three levels deep, the upper ones first and at most 200, without
 * what belongs to git and what is built or installed there. Links are left out: a program can replace them, but their
 * targets are elsewhere.
 *
 * @param find finds the protection of a path below the root
 */
export async function listProtected(
  root: string,
  find: (path: string) => PathProtection | undefined,
): Promise<readonly ProtectedEntry[]> {
  const found: ProtectedEntry[] = [];
  let folders = [''];
  let count = 0;
  for (let depth = 0; depth < DEEPEST && folders.length > 0; depth++) {
    const below: string[] = [];
    count += folders.length;
    const lists = await Promise.all(
      folders.map((folder) => readdir(join(root, folder), { withFileTypes: true }).catch(() => [])),
    );
    for (const [index, entries] of lists.entries()) {
      for (const entry of entries) {
        if (SKIPPED.has(entry.name) || !(entry.isFile() || entry.isDirectory())) continue;
        const path = join(folders[index]!, entry.name);
        const protection = find(path);
        const isFolder = entry.isDirectory();
        if (protection !== undefined)
          found.push({ path: join(root, path), isFolder, isOwn: protection.is === OWN_DATA.is });
        else if (isFolder) below.push(path);
      }
    }
    folders = below.slice(0, Math.max(MOST_FOLDERS - count, 0));
  }
  return found.slice(0, MOST_FOUND);
}
