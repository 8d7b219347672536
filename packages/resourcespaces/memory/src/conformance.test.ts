// @module-tag long

import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Store } from '@bae/store';
import { describeResourcespace } from '@bae/testing/vitest';
import { provideWorkspace, WorkspaceRoot } from '@bae/workspace';
import { describe, onTestFinished } from 'vitest';
import { FactsSpace } from './facts-space.ts';
import { MemorySpace, provideMemory } from './memory-space.ts';

const key = new Uint8Array(32).fill(7);

/** A folder with a session of sixty questions, and facts. */
function makeFolder(): string {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'bae-memory-')));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const store = Store.open(join(folder, 'sessions.db'), { key });
  const log = store.log(store.createSession({ cwd: folder }));
  for (let turn = 1; turn <= 60; turn++) {
    log.append({ type: 'turn-start', prompt: `Where is login ${turn}?`, label: '1', turn });
    log.append({ type: 'answer', text: `In src/login-${turn}.ts.`, label: '1', turn });
  }
  store.close();
  mkdirSync(join(folder, '.agents/memory'), { recursive: true });
  writeFileSync(join(folder, '.agents/memory/PORT.md'), 'The port is 8080.\n');
  return folder;
}

describe('memory', () => {
  describeResourcespace({
    create: () => {
      const folder = makeFolder();
      const openStore = async () => Store.open(join(folder, 'sessions.db'), { key });
      return {
        space: MemorySpace,
        provide: [provideWorkspace(folder), provideMemory({ openStore, getKey: () => key })],
      };
    },
    samples: {
      existing: '1',
      missing: '9999',
      grep: { matches: 'login', misses: 'nowhere' },
      edit: { args: { entry: 1, tags: '+decision' }, readAs: '1', shows: 'tags: decision' },
    },
  });
});

describe('facts', () => {
  describeResourcespace({
    create: () => {
      const root = new WorkspaceRoot(makeFolder());
      const openStore = async () => undefined;
      return { space: new FactsSpace({ root, openStore, getKey: () => key, now: () => new Date() }) };
    },
    samples: {
      existing: 'PORT',
      missing: 'PROT',
      grep: { matches: 'port', misses: 'nowhere' },
      write: { args: { name: 'NEW', text: '# Why\n\n  ünd <how>' }, readAs: 'NEW', shows: '# Why\n\n  ünd <how>' },
      calls: { delete: { name: 'PORT' } },
    },
  });
});
