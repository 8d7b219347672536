import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { checkCoreSilence } from './checks/core-silence.ts';
import { checkDatabaseAccess } from './checks/database-access.ts';
import { checkDiskAccess } from './checks/disk-access.ts';
import { checkErrorTable } from './checks/error-table.ts';
import { checkFileSize } from './checks/file-size.ts';
import { checkForbiddenSyntax } from './checks/forbidden-syntax.ts';
import { checkFunctionShape } from './checks/function-shape.ts';
import { checkImportCycles } from './checks/import-cycles.ts';
import { checkImportStyle } from './checks/import-style.ts';
import { checkIndexLogic } from './checks/index-logic.ts';
import { checkLayers } from './checks/layers.ts';
import { checkManifests } from './checks/manifests.ts';
import { checkNames } from './checks/names.ts';
import { checkPackageImports } from './checks/package-imports.ts';
import { checkResourcespaceShape } from './checks/resourcespace-shape.ts';
import { checkFolderSize } from './checks/folder-size.ts';
import { checkSmallFiles } from './checks/small-files.ts';
import { checkRepeatedHelpers } from './checks/repeated-helpers.ts';
import { checkVerbNames } from './checks/verb-names.ts';
import { checkStandsAlone } from './checks/stands-alone.ts';
import { readRepository } from './source/repository.ts';
import { violationText, type Check } from './source/violation.ts';

const repository = readRepository(join(import.meta.dirname, '../..'));

/** Every rule: its name, its check, and what the check finds in the fixture that breaks the rule. */
const RULES: readonly (readonly [name: string, check: Check, found: readonly string[]])[] = [
  [
    'layers',
    checkLayers,
    [
      'packages/core/src/protocol/location.ts:1 imports ../registry/registry.ts: registry/ is above protocol/',
      'packages/core/src/protocol/location.ts:2 imports ../index.ts: the folders of core do not import its entries',
      'packages/core/src/registry/registry.ts:1 imports ../tag-parser/tag-parser.ts: tag-parser/ is of the same layer as registry/',
      'packages/core/src/views/terminal.ts is in views/, which is in no layer of core',
    ],
  ],
  [
    'package-imports',
    checkPackageImports,
    [
      'packages/core/src/a.ts:1 imports @bae/store: core does not import store',
      'packages/core/src/a.ts:2 imports lodash: core imports nothing but reflect-metadata, tsyringe, zod',
      'packages/resourcespaces/search/src/b.ts:2 imports @bae/tasks: resourcespace does not import resourcespace',
      'packages/resourcespaces/search/src/b.ts:3 imports @bae/cli: resourcespace does not import app',
      'packages/resourcespaces/search/src/b.ts:4 imports @bae/core/src/pruner/pruner.ts: use the public entry @bae/core',
      'packages/resourcespaces/search/src/b.ts:5 imports ../../tasks/src/task.ts: it is in another package; import that by its name',
    ],
  ],
  [
    'import-cycles',
    checkImportCycles,
    [
      'packages/core/src/a.ts is in an import cycle: packages/core/src/a.ts > packages/core/src/b.ts > packages/core/src/c.ts > packages/core/src/a.ts',
    ],
  ],
  [
    'import-style',
    checkImportStyle,
    [
      'packages/core/src/a.ts:1 imports ./b: name the file with its extension, ./x.ts',
      'packages/core/src/a.ts:2 imports ./c.js: name the source, which ends in .ts',
      'packages/core/src/a.ts:3 imports ./d/index.ts: an index is for other packages; import the file itself',
    ],
  ],
  ['file-size', checkFileSize, ['packages/core/src/long.ts has 401 lines, limit 400: split it by purpose']],
  [
    'folder-size',
    checkFolderSize,
    ['packages/core/src/many has 16 source files, limit 15: divide it, or say why in its README'],
  ],
  [
    'small-files',
    checkSmallFiles,
    ['packages/core/src/small.ts has 1 lines and only packages/core/src/sum.ts imports it: merge them'],
  ],
  [
    'repeated-helpers',
    checkRepeatedHelpers,
    ['packages/core/src/b.ts has a function isBlank, as packages/core/src/a.ts has: share it or name it better'],
  ],
  [
    'verb-names',
    checkVerbNames,
    [
      '. 75 % of the exported functions begin with a verb, least 80 %',
      'packages/core/src/names.ts exports shown, which begins with no known verb',
    ],
  ],
  ['function-shape', checkFunctionShape, ['packages/core/src/long.ts:86 many has 4 parameters; take an object']],
  [
    'forbidden-syntax',
    checkForbiddenSyntax,
    [
      'packages/core/src/bad.ts:2 says any; say unknown and narrow it',
      'packages/core/src/bad.ts:7 has export *; name what is exported',
      'packages/core/src/bad.ts:8 has a default export; export it by name',
      'packages/core/src/bad.ts:9 has a namespace; use a file',
      'packages/core/src/bad.ts:1 leaves something to do; do it or open an issue',
      'packages/core/src/bad.ts:3 turns the type checker off',
      'packages/core/src/bad.ts:5 expects a type error outside a test',
    ],
  ],
  [
    'names',
    checkNames,
    [
      "packages/core/src/registry/SpaceTree.test.ts 'SpaceTree.test.ts' is not kebab-case",
      "packages/core/src/registry/types.ts 'types' says nothing; call it by what is in it",
      "packages/core/src/utils/strings.ts 'utils' says nothing; call it by what is in it",
    ],
  ],
  [
    'disk-access',
    checkDiskAccess,
    [
      'apps/cli/src/config.ts:1 imports fs: go through @bae/workspace',
      'packages/resourcespaces/tasks/src/task-store.ts:1 imports node:fs/promises: go through @bae/workspace',
    ],
  ],
  [
    'database-access',
    checkDatabaseAccess,
    [
      'apps/cli/src/sessions.ts:1 imports node:sqlite: go through openDatabase of @bae/store',
      'packages/resourcespaces/tasks/src/task-store.ts:2 imports node:sqlite: go through openDatabase of @bae/store',
      'packages/resourcespaces/tasks/src/task-store.ts:3 imports better-sqlite3: go through openDatabase of @bae/store',
    ],
  ],
  [
    'core-silence',
    checkCoreSilence,
    [
      'packages/core/src/agent/loud.ts:1 imports node:crypto',
      'packages/core/src/agent/loud.ts:2 imports zod at run time, which is slow to load; use zod/v4/core',
      'packages/core/src/agent/loud.ts:7 uses console; take it from the Host',
      'packages/core/src/agent/loud.ts:7 uses process; take it from the Host',
      'packages/core/src/agent/loud.ts:8 uses setTimeout; take it from the Host',
      'packages/core/src/agent/loud.ts:8 uses performance; take it from the Host',
      'packages/core/src/agent/loud.ts:9 uses Date; take it from the Host',
      'packages/core/src/agent/loud.ts:9 uses Math.random; take it from the Host',
      'packages/core/src/agent/loud.ts:9 uses globalThis; take it from the Host',
    ],
  ],
  [
    'index-logic',
    checkIndexLogic,
    [
      'packages/core/src/index.ts:5 does something; an index only passes names on',
      'packages/core/src/index.ts:6 does something; an index only passes names on',
    ],
  ],
  [
    'error-table',
    checkErrorTable,
    [
      'packages/core/src/errors/errors.ts raises BAE_NEW, which has no row in docs/reference/errors.md',
      'docs/reference/errors.md explains BAE_GONE, which nothing raises',
      'docs/reference/errors.md explains BAE_RESOURCE twice',
    ],
  ],
  [
    'stands-alone',
    checkStandsAlone,
    [
      'docs/README.md:1 points outside the repository: ../shared',
      'packages/core/src/pruner/pruner.ts:1 points outside the repository: FS12',
      'packages/core/src/pruner/pruner.ts:2 points outside the repository: rule C10',
    ],
  ],
  [
    'manifests',
    checkManifests,
    [
      'packages/core/package.json depends on lodash, tsyringe, zod; exactly reflect-metadata, tsyringe, zod are meant',
      'packages/resourcespaces/tasks/package.json depends on @bae/core; make it a peer dependency, so that there is one copy',
    ],
  ],
  [
    'resourcespace-shape',
    checkResourcespaceShape,
    [
      'packages/resourcespaces/tasks lacks README.md',
      'packages/resourcespaces/tasks lacks src/tasks-space.ts',
      'packages/resourcespaces/tasks lacks the keyword bae-resourcespace',
      'packages/resourcespaces/tasks lacks the peer dependency @bae/core',
    ],
  ],
];

describe.each(RULES)('%s', (name, check, found) => {
  it('holds everywhere', () => {
    expect(check(repository).map(violationText)).toEqual([]);
  });

  it('is seen to be broken where it is', () => {
    const broken = readRepository(join(import.meta.dirname, 'fixtures', name));
    expect(check(broken).map(violationText)).toEqual(found);
  });
});
