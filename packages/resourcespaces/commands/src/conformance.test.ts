// @module-tag long

import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { ToolContext } from '@bae/core';
import { describeResourcespace } from '@bae/testing/vitest';
import { provideWorkspace, WorkspaceRoot } from '@bae/workspace';
import { temporaryFolder } from '../test/open-commands.ts';
import { TerminalSpace } from './commands-space.ts';
import { GitSpace } from './git/git-space.ts';
import { ScriptsSpace } from './scripts/scripts-space.ts';

const FILES = { 'package.json': '{ "scripts": { "build": "echo built", "lint": "true" } }' };

describeResourcespace({
  create: () => ({ space: ScriptsSpace, provide: [provideWorkspace(temporaryFolder(FILES))] }),
  samples: {
    existing: 'build',
    missing: 'nothing',
    calls: { run_script: { target: 'build' }, check: {} },
  },
});

describeResourcespace({
  create: async () => {
    const root = new WorkspaceRoot(temporaryFolder());
    const space = new TerminalSpace(root);
    const context = { session: { id: 'opening' }, files: new Set(), tag: (text: string) => text } as ToolContext;
    const args = { command: 'sleep 1000', timeout: 1, background: true, folder: '', network: false };
    const change = await space.exec(args, context);
    await change.apply(context);
    const dispose = async () => {
      await space.dispose();
      root[Symbol.dispose]();
    };
    return { space, dispose };
  },
  samples: {
    calls: { exec: { command: 'echo a' }, sh: { command: 'echo a' }, tail: { id: 1 }, stop: { id: 1 } },
    slow: { tool: 'exec', args: { command: 'sleep 1000' } },
  },
});

describeResourcespace({
  create: () => {
    const folder = temporaryFolder({ 'a.txt': 'text of the file\n' });
    const git = (...args: readonly string[]) => execFileSync('git', args, { cwd: folder, stdio: 'ignore' });
    git('init', '--quiet');
    git('config', 'user.name', 'A');
    git('config', 'user.email', 'a@example.org');
    git('add', 'a.txt');
    git('commit', '--quiet', '-m', 'First');
    writeFileSync(join(folder, 'a.txt'), 'changed\n');
    return { space: GitSpace, provide: [provideWorkspace(folder)] };
  },
  samples: {
    calls: {
      status: { path: '' },
      diff: { target: 'HEAD' },
      log: { target: 'HEAD' },
      show: { target: 'HEAD' },
      blame: { target: 'a.txt' },
      commit: { target: 'Change', files: ['a.txt'] },
    },
  },
});
