import { posix } from 'node:path';
import { exportsOf, isWork } from '../source/exports.ts';
import { isProduct } from '../source/file-kind.ts';
import { modulesOf } from '../source/module.ts';
import type { Repository } from '../source/repository.ts';
import type { Violation } from '../source/violation.ts';

/** Most functions and classes one file offers; the types and constants that go with them do not count. */
export const EXPORTS = 3;

/** A file is about one thing. What tests share may be a collection. */
export function checkExportsPerFile(repository: Repository): readonly Violation[] {
  const modules = modulesOf(repository).filter(({ path }) => isProduct(path));
  return modules.flatMap((module) => {
    const work = exportsOf(module).filter(isWork);
    if (work.length <= EXPORTS || posix.basename(module.path) === 'index.ts') return [];
    const names = work.map(({ name }) => name).join(', ');
    return [{ path: module.path, message: `exports ${work.length} functions and classes, limit ${EXPORTS}: ${names}` }];
  });
}
