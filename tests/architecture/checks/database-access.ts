import { isProduct } from '../source/file-kind.ts';
import { importsOf } from '../source/imports.ts';
import { modulesOf } from '../source/module.ts';
import type { Repository } from '../source/repository.ts';
import { roleOf } from '../source/roles.ts';
import type { Violation } from '../source/violation.ts';

const DRIVER = /^((node:)?sqlite3?|better-sqlite3|sql\.js|@?libsql(\/.*)?|pg|pg-boss|postgres)$/;
const OPENERS = new Set(['store', 'store-postgres']);

/** Databases are opened by packages/store and packages/store-postgres alone: there they survive crashes, other writers and full disks. */
export function checkDatabaseAccess(repository: Repository): readonly Violation[] {
  return modulesOf(repository)
    .filter(({ path }) => isProduct(path) && !OPENERS.has(roleOf(path)))
    .flatMap((module) =>
      importsOf(module)
        .filter(({ specifier }) => DRIVER.test(specifier))
        .map(({ specifier, line }) => ({
          path: module.path,
          line,
          message: `imports ${specifier}: go through openDatabase of @bae/store`,
        })),
    );
}
