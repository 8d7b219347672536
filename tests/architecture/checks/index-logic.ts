import { posix } from 'node:path';
import { modulesOf } from '../source/module.ts';
import type { Repository } from '../source/repository.ts';
import type { Violation } from '../source/violation.ts';

/** An index lists names; it does no work. */
export function checkIndexLogic(repository: Repository): readonly Violation[] {
  return modulesOf(repository)
    .filter(({ path }) => posix.basename(path) === 'index.ts')
    .flatMap((module) =>
      module.program.body
        .filter((node) => node.type !== 'ImportDeclaration' && !(node.type === 'ExportNamedDeclaration' && node.source))
        .map((node) => ({
          path: module.path,
          line: module.lineAt(node.start),
          message: 'does something; an index only passes names on',
        })),
    );
}
