import { WorkspaceRoot } from '@bae/workspace';
import { describe, expect, it } from 'vitest';
import { temporaryFolder } from '../test/temporary-folder.ts';
import { findPackageManager, listManagerPrograms } from './package-manager.ts';

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

describe('listManagerPrograms', () => {
  it('lists what the settings of each package manager load or run, and nothing else of them', async () => {
    const files = {
      '.npmrc':
        '; comment\n//r.example/:_authToken=secret\nsave-exact=true\nnode-options=-r ./a.cjs\rscript-shell = ./b\n',
      '.yarnrc.yml': 'nodeLinker: node-modules\n"yarn\\x50ath": ./c.cjs\n',
      'pnpm-workspace.yaml': 'packages: [a]\nscriptShell: ./d\n',
      'bunfig.toml': 'preload = ["./e.ts"]\n[install]\nexact = true\n',
      'a/.pnpmfile.cjs': 'module.exports = {};\n',
      'a/.yarnrc.yml': '{',
    };
    using root = new WorkspaceRoot(temporaryFolder(files));
    expect(await listManagerPrograms(root, ['', 'a', ''])).toEqual([
      '.npmrc: node-options=-r ./a.cjs',
      '.npmrc: script-shell = ./b',
      'bunfig.toml: preload = ["./e.ts"]',
      '.yarnrc.yml: yarnPath: "./c.cjs"',
      'pnpm-workspace.yaml: scriptShell: "./d"',
      'a/.yarnrc.yml: cannot be read',
      'a/.pnpmfile.cjs: loaded by pnpm',
    ]);
  });
});
