import { describeResourcespace } from '@bae/testing/vitest';
import { provideWorkspace } from '@bae/workspace';
import { temporaryFolder } from '../test/temporary-folder.ts';
import { FilesystemSpace } from './filesystem-space.ts';

const FILES = { 'src/main.ts': 'export const port = 8080;\n', 'notes.md': 'A line of the notes.\n'.repeat(600) };

describeResourcespace({
  create: () => ({ space: FilesystemSpace, provide: [provideWorkspace(temporaryFolder(FILES))] }),
  samples: {
    existing: 'src/main.ts',
    missing: 'src/m1n.ts',
    glob: { matches: '**/*.ts', misses: '**/*.py' },
    grep: { matches: 'line of', misses: 'nowhere to be found' },
    write: {
      args: { target: 'docs/new.md', content: '# Title\n\n  indented <b>' },
      shows: '# Title\n\n  indented <b>',
    },
    edit: { args: { target: 'src/main.ts', old: '8080', new: '9090' }, shows: 'port = 9090' },
    calls: { undo: { steps: 1 } },
  },
});
