import { WorkspaceRoot } from '@bae/workspace';
import { describe, expect, it } from 'vitest';
import { temporaryFolder } from '../test/temporary-folder.ts';
import { findPackageManager } from './package-manager.ts';

describe('findPackageManager', () => {
  it.each([
    ['pnpm-lock.yaml', 'pnpm'],
    ['pnpm-workspace.yaml', 'pnpm'],
    ['yarn.lock', 'yarn'],
    ['package-lock.json', 'npm'],
    ['bun.lock', 'bun'],
    ['bun.lockb', 'bun'],
    ['other.lock', 'npm'],
  ])('infers from %s that it is %s', async (file, name) => {
    using root = new WorkspaceRoot(temporaryFolder({ [file]: '' }));
    expect(await findPackageManager(root, undefined)).toMatchObject({ name, version: undefined });
  });

  it('believes package.json rather than a lockfile', async () => {
    using root = new WorkspaceRoot(temporaryFolder({ 'yarn.lock': '' }));
    expect(await findPackageManager(root, 'pnpm@12.21.0+sha512.abc')).toEqual({
      name: 'pnpm',
      version: '12.21.0',
      lockfile: 'pnpm-lock.yaml',
    });
    expect(await findPackageManager(root, 'cargo@1')).toMatchObject({ name: 'yarn' });
    expect(await findPackageManager(root, { name: 'pnpm' })).toMatchObject({ name: 'yarn' });
  });
});
