import { dirname, join } from 'node:path';
import { realPath } from '../disk/read-files.ts';

/**
 * The folder of an installed package, looked for as Node does: in `node_modules` of a folder, then of those
 * above it.
 *
 * @returns its path without links; undefined when it is not installed
 */
export function findPackage(name: string, from: string): string | undefined {
  for (const folder of foldersUp(from)) {
    const found = realPath(join(folder, 'node_modules', name, 'package.json'));
    if (found !== undefined) return dirname(found);
  }
  return undefined;
}

/** A folder and those above it, nearest first. */
export function foldersUp(folder: string): readonly string[] {
  const above = dirname(folder);
  return above === folder ? [folder] : [folder, ...foldersUp(above)];
}
