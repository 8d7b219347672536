// @module-tag long

import { describeResourcespace } from '@bae/testing/vitest';
import { provideWorkspace } from '@bae/workspace';
import { temporaryFolder } from '../test/temporary-folder.ts';
import { TSCONFIG } from '../test/temporary-project.ts';
import { SourceSpace } from './source-space.ts';

const FILES = {
  'package.json': '{ "type": "module" }',
  'tsconfig.json': TSCONFIG,
  'src/lib/main.ts': 'export const port = 8080;\nexport const url = `http://localhost:${port}`;\n',
  'src/lib/long.ts': Array.from({ length: 600 }, (_, number) => `export const line${number} = 'of the list';\n`).join(
    '',
  ),
};

describeResourcespace({
  create: () => ({ space: SourceSpace, provide: [provideWorkspace(temporaryFolder(FILES))] }),
  samples: {
    existing: 'lib.main.port',
    missing: 'lib.mian',
    glob: { matches: 'lib.**', misses: 'nowhere.**' },
    grep: { matches: 'of the list', misses: 'nowhere to be found' },
    write: {
      args: { target: 'lib.fresh', content: '/** <b> */\nexport const fresh = [\n  1,\n];' },
      readAs: 'lib.fresh.fresh',
      shows: '/** <b> */\nexport const fresh = [\n  1,\n];',
    },
    edit: {
      args: { target: 'lib.main.port', content: 'export const port = 9090;' },
      readAs: 'lib.main.port',
      shows: 'port = 9090',
    },
    calls: {
      undo: { steps: 1 },
      references: { target: 'lib.main.port' },
      diagnostics: { target: 'lib.main' },
      rename: { target: 'lib.main.port', to: 'door' },
    },
  },
});
