import { posix } from 'node:path';
import { isProduct } from '../source/file-kind.ts';
import { modulesOf } from '../source/module.ts';
import type { Repository } from '../source/repository.ts';
import type { Violation } from '../source/violation.ts';

/** Most source files of one folder, tests not counted. */
export const FOLDER_FILES = 15;

/** A folder holds no more files than can be taken in at a glance, unless its own README says why. */
export function checkFolderSize(repository: Repository): readonly Violation[] {
  const explained = new Set(
    repository.files.filter(({ path }) => path.endsWith('/README.md')).map(({ path }) => posix.dirname(path)),
  );
  const counts = new Map<string, number>();
  for (const { path } of modulesOf(repository)) {
    if (!isProduct(path)) continue;
    const folder = posix.dirname(path);
    counts.set(folder, (counts.get(folder) ?? 0) + 1);
  }
  return [...counts].flatMap(([path, count]) => {
    if (count <= FOLDER_FILES || explained.has(path)) return [];
    return [{ path, message: `has ${count} source files, limit ${FOLDER_FILES}: divide it, or say why in its README` }];
  });
}
