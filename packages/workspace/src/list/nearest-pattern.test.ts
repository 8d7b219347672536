import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { WorkspaceRoot } from '../workspace-root.ts';
import { findNearestPattern } from './nearest-pattern.ts';

it.each([
  ['packages/*/srcc', 'packages/*/src'],
  ['pakages/*/srcc/**', 'packages/*/src/**'],
  ['packages/*/src/*.tss', 'packages/*/src/*.ts'],
  ['packages/*/quite-another', undefined],
  ['packages/*/src', undefined],
  // Its nearest ending is its own.
  ['packages/*/src/*.ts|*.ts', undefined],
  ['packages/*/src/!*.ts', undefined],
  ['packages/one/../one/srcc', undefined],
  [`${'a/'.repeat(10)}srcc`, undefined],
])('the pattern nearest to %s is %s', async (pattern, nearest) => {
  const folder = mkdtempSync(join(tmpdir(), 'bae-pattern-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const deep = `${'a/'.repeat(10)}src/c.ts`;
  for (const path of ['packages/one/src/a.ts', 'packages/one/readme.md', 'packages/two/src/b.ts', deep]) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), '');
  }
  using root = new WorkspaceRoot(folder);
  expect(await findNearestPattern(root, pattern)).toBe(nearest);
});
