import { WorkspaceRoot } from '@bae/workspace';
import { describe, expect, it } from 'vitest';
import { findPackageManager, listManagerArguments, type PackageManager } from './dependencies.ts';
import { TemporaryProject } from '../../test/temporary-project.ts';

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
    using root = new WorkspaceRoot(new TemporaryProject({ [file]: '' }).folder);
    expect(await findPackageManager(root, undefined)).toEqual({ name, version: undefined });
  });

  it('believes package.json rather than a lockfile', async () => {
    using root = new WorkspaceRoot(new TemporaryProject({ 'yarn.lock': '' }).folder);
    expect(await findPackageManager(root, 'pnpm@12.21.0+sha512.abc')).toEqual({ name: 'pnpm', version: '12.21.0' });
    expect(await findPackageManager(root, 'cargo@1')).toMatchObject({ name: 'yarn' });
    expect(await findPackageManager(root, { name: 'pnpm' })).toMatchObject({ name: 'yarn' });
  });
});

describe('listManagerArguments', () => {
  it.each<[PackageManager['name'], string | undefined, string, string]>([
    [
      'npm',
      undefined,
      'install --ignore-scripts --no-audit --no-fund --save-dev zod',
      'uninstall --ignore-scripts --no-audit --no-fund zod',
    ],
    [
      'pnpm',
      undefined,
      'add --ignore-scripts --ignore-workspace-root-check --save-dev zod',
      'remove --ignore-scripts zod',
    ],
    ['bun', undefined, 'add --ignore-scripts --dev zod', 'remove --ignore-scripts zod'],
    ['yarn', '4.1.0', 'add --dev zod', 'remove zod'],
    [
      'yarn',
      '1.22.0',
      'add --ignore-scripts --ignore-workspace-root-check --dev zod',
      'remove --ignore-scripts --ignore-workspace-root-check zod',
    ],
  ])('passes %s %s the arguments that it takes', (name, version, add, remove) => {
    const manager = { name, version };
    expect(listManagerArguments(manager, { verb: 'add', dependency: 'zod', dev: true }).join(' ')).toBe(add);
    expect(listManagerArguments(manager, { verb: 'remove', dependency: 'zod', dev: true }).join(' ')).toBe(remove);
    expect(listManagerArguments(manager, { verb: 'add', dependency: 'zod', dev: false })).not.toContain('--save-dev');
  });
});
