import { posix } from 'node:path';
import { importsOf, targetOf } from '../source/imports.ts';
import { modulesOf } from '../source/module.ts';
import type { Repository } from '../source/repository.ts';
import type { Violation } from '../source/violation.ts';

const FILE = /\.(ts|tsx|mts|mjs|js|json)$/;

/** A relative import names the file it means, and never an index. */
export function checkImportStyle(repository: Repository): readonly Violation[] {
  return modulesOf(repository).flatMap((module) =>
    importsOf(module).flatMap(({ specifier, line }) => {
      const target = targetOf(module, specifier);
      if (target === undefined) return [];
      const reason = reasonAgainst(target, module.path);
      return reason === undefined ? [] : [{ path: module.path, line, message: `imports ${specifier}: ${reason}` }];
    }),
  );
}

function reasonAgainst(target: string, from: string): string | undefined {
  if (!FILE.test(target)) return 'name the file with its extension, ./x.ts';
  // Built files are imported by launchers only, which are no TypeScript.
  if (target.endsWith('.js') && /\.tsx?$/.test(from)) return 'name the source, which ends in .ts';
  if (posix.basename(target) === 'index.ts') return 'an index is for other packages; import the file itself';
  return undefined;
}
