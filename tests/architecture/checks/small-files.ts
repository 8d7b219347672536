import { posix } from 'node:path';
import { isProduct } from '../source/file-kind.ts';
import { importsOf, targetOf } from '../source/imports.ts';
import { modulesOf } from '../source/module.ts';
import type { Repository } from '../source/repository.ts';
import type { Violation } from '../source/violation.ts';

/** Lines below which a file has to be worth its own name. */
export const SMALL_LINES = 20;

/** Small files that stay on their own, and why. */
const REASONS: Readonly<Record<string, string>> = {};

/** A small file that only one other imports belongs into that file. Tests do not count as importers. */
export function checkSmallFiles(repository: Repository): readonly Violation[] {
  const modules = modulesOf(repository).filter(({ path }) => isProduct(path));
  const importers = new Map<string, string[]>();
  for (const module of modules) {
    const targets = new Set(importsOf(module).map(({ specifier }) => targetOf(module, specifier)));
    for (const target of targets) {
      if (target !== undefined) importers.set(target, [...(importers.get(target) ?? []), module.path]);
    }
  }
  return modules.flatMap(({ path, text }) => {
    const lines = text.trimEnd().split('\n').length;
    const [importer, ...others] = importers.get(path) ?? [];
    if (lines >= SMALL_LINES || importer === undefined || others.length > 0 || path in REASONS) return [];
    // An index passes names on to other packages; what it names is used there.
    if (posix.basename(importer) === 'index.ts') return [];
    return [{ path, message: `has ${lines} lines and only ${importer} imports it: merge them` }];
  });
}
