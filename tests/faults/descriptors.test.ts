import { execFileSync } from 'node:child_process';
import { readdirSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { BaeError } from '@bae/core';
import { WorkspaceRoot } from '@bae/workspace';
import { describe, expect, it } from 'vitest';
import { scratchFolder } from './scratch-folder.ts';

const WINDOW = { line: 1, column: 1, chars: 100 };

const PATHS = [
  'a.txt', 'deep/er/b.txt', 'link/er/b.txt', 'missing', 'deep/missing/c.txt', 'a.txt/under', 'out/x', 'circle', 'pipe',
  'read-only', '.env', '../x', 'deep', '', 'binary', 'latin',
]; // prettier-ignore

const WAYS: readonly ((workspace: WorkspaceRoot, path: string) => Promise<unknown>)[] = [
  (workspace, path) => workspace.info(path),
  (workspace, path) => workspace.exists(path),
  async (workspace, path) => workspace.checkWritable(path),
  (workspace, path) => workspace.readText(path),
  (workspace, path) => workspace.readWindow(path, WINDOW),
  (workspace, path) => workspace.digest(path),
  (workspace, path) => workspace.list(path),
  (workspace, path) => workspace.write(path, 'x'),
  (workspace, path) => workspace.remove(path),
];

const openDescriptors = (): number => readdirSync('/proc/self/fd').length;

describe.runIf(process.platform === 'linux')('open files', () => {
  const countAfter = async (operations: number): Promise<void> => {
    const folder = scratchFolder({
      'a.txt': 'a',
      'deep/er/b.txt': 'b',
      '.env': 'x',
      binary: 'a\0b',
      latin: Buffer.from('\xe9', 'latin1'),
    });
    symlinkSync('deep', join(folder, 'link'));
    symlinkSync('circle', join(folder, 'circle'));
    symlinkSync('..', join(folder, 'out'));
    execFileSync('mkfifo', [join(folder, 'pipe')]);
    const workspace = new WorkspaceRoot(folder);
    let errors = 0;
    const operation = async (time: number): Promise<void> => {
      const way = WAYS[time % WAYS.length]!;
      const path = PATHS[Math.floor(time / WAYS.length) % PATHS.length]!;
      await way(workspace, path).catch((error: unknown) => {
        if (!BaeError.is(error)) throw error;
        errors++;
      });
    };
    for (let time = 0; time < 200; time++) await operation(time);
    const before = openDescriptors();
    for (let time = 0; time < operations; time += 4) {
      await Promise.all([0, 1, 2, 3].map((more) => operation(time + more)));
    }
    await workspace.glob({ pattern: '**' });
    await workspace.grep({ pattern: 'a' });
    expect(openDescriptors()).toBeLessThanOrEqual(before);
    expect(errors).toBeGreaterThan(operations / 5);
  };

  // Each way with each path ten times, four at once.
  it('are closed again, whatever happened', { tags: ['long'] }, () => countAfter(1600));
  it('are closed again, whatever happened 10,000 times', { tags: ['long'] }, () => countAfter(10_000));
});
