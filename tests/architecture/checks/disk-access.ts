import { isProduct } from '../source/file-kind.ts';
import { importsOf } from '../source/imports.ts';
import { modulesOf } from '../source/module.ts';
import type { Repository } from '../source/repository.ts';
import { roleOf } from '../source/roles.ts';
import type { Violation } from '../source/violation.ts';

const DISK = /^(node:)?fs(\/promises)?$/;

/** Files besides packages/workspace that touch the disk, and whose files these are: never the user's. */
export const OWN_FILES: ReadonlyMap<string, string> = new Map([
  ['apps/cli/bin/bae.mjs', 'its own package.json, for the version'],
  ['packages/plugins/src/disk.ts', 'packages of resourcespaces, their manifests, and what the user trusts'],
  ['packages/project/src/find-program.ts', 'programs of the machine, on the PATH'],
  ['packages/project/src/platform/windows.ts', 'how Windows starts these'],
  ['packages/project/src/limits/command-limits.ts', 'an empty folder, for a test of the machine'],
  ['packages/project/src/limits/enclosure.ts', 'namespaces of its own, and whether hidden places are there'],
  [
    'packages/project/src/limits/limited-places.ts',
    'which caches, credentials and sockets are on the machine, and what the folder of git consists of',
  ],
  ['packages/project/src/limits/limited-view.ts', 'the mounts of the machine'],
  ['packages/project/src/limits/mount-table.ts', 'tables of mounts, in files without a name'],
  ['packages/sandbox/src/host/thread.ts', 'the engine, a file of a package'],
  ['packages/source-python/copy-grammar.mjs', 'the grammar, while the package is built'],
  ['packages/store/src/store-error.ts', 'whether the folder of a database can be written'],
  ['packages/store/src/open-database.ts', 'databases, and the folders above them'],
  ['packages/store-postgres/src/test-server.ts', 'a database server for tests, in a temporary folder'],
  ['packages/resourcespaces/source/src/type-service/project-compiler.ts', 'the compiler that a project has installed'],
  ['packages/resourcespaces/source/src/type-service/project-compiler-worker.ts', 'what that compiler reads'],
  [
    'packages/resourcespaces/source/src/type-service/project-facts.ts',
    'whether there are settings for the compiler, also above the project',
  ],
  ['packages/resourcespaces/source/src/tests/run-tests.ts', 'a report of a test runner, outside of the project'],
  ['packages/resourcespaces/source/src/tests/jest-reporter.ts', 'runs in the program of the tests'],
  ['packages/resourcespaces/source/src/tests/mocha-reporter.ts', 'runs in the program of the tests'],
  ['packages/resourcespaces/source/src/tests/node-test-reporter.ts', 'runs in the program of the tests'],
  ['packages/resourcespaces/source/src/tests/vitest-reporter.ts', 'runs in the program of the tests'],
  ['packages/server/src/workspaces/workspaces.ts', 'folders and worktrees of sessions of the server, in its own data'],
  ['apps/cli/src/config/disk.ts', 'settings, and files named on the command line'],
  ['apps/cli/src/run-chunk.ts', 'its own code, and what of it is compiled, in the data of the user'],
  ['apps/cli/script-chunk.config.ts', 'its own code, while it is built'],
  ['apps/cli/src/user-key.ts', 'the secret that proves the sessions of the user, in the data of the user'],
  ['apps/cli/src/create/scaffold.ts', 'templates, and the folders that are made of them'],
  ['apps/cli/src/dev/dev-package.ts', 'when the code of a package was changed'],
  ['apps/cli/src/conformance/temporary-folder.ts', 'empty folders that end with the command'],
]);

/** The user's files are reached through packages/workspace alone: there they are contained and undoable. */
export function checkDiskAccess(repository: Repository, ownFiles = OWN_FILES): readonly Violation[] {
  return modulesOf(repository)
    .filter(({ path }) => isProduct(path) && roleOf(path) !== 'workspace' && !ownFiles.has(path))
    .flatMap((module) =>
      importsOf(module)
        .filter(({ specifier, typeOnly }) => DISK.test(specifier) && !typeOnly)
        .map(({ specifier, line }) => ({
          path: module.path,
          line,
          message: `imports ${specifier}: go through @bae/workspace`,
        })),
    );
}
