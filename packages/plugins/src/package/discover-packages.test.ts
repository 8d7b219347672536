import { mkdirSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { putPackage, spaceModule } from '../../test/sample-package.ts';
import { put, scratchFolder } from '../../test/scratch.ts';
import { discoverPackages } from './discover-packages.ts';

const code = spaceModule('a');

describe('discoverPackages', () => {
  it('finds what is named and marked as a package of resourcespaces, sorted by name', async () => {
    const project = scratchFolder();
    for (const name of [
      'bae-resourcespace-b',
      'bae-resourcespace-a',
      '@acme/bae-resourcespace-c',
      'lodash',
      '@acme/other',
    ])
      putPackage(join(project, 'node_modules', name), { name, code });
    putPackage(join(project, 'node_modules/bae-resourcespace-z'), { name: 'bae-resourcespace-z', code, keywords: [] });
    put(project, {
      'node_modules/bae-resourcespace-y/package.json': '{broken',
      'node_modules/bae-resourcespace-x/README.md': 'no package',
      'node_modules/bae-resourcespace-w': 'no folder',
    });
    expect((await discoverPackages(project)).map(({ name }) => name)).toEqual([
      '@acme/bae-resourcespace-c',
      'bae-resourcespace-a',
      'bae-resourcespace-b',
    ]);
  });

  it('takes the nearest of two with one name, as Node does', async () => {
    const project = scratchFolder();
    const name = 'bae-resourcespace-a';
    const inner = join(project, 'apps/shop');
    putPackage(join(project, 'node_modules', name), { name, code });
    const near = putPackage(join(inner, 'node_modules', name), { name, code });
    putPackage(join(project, 'node_modules/bae-resourcespace-b'), { name: 'bae-resourcespace-b', code });
    expect(await discoverPackages(inner)).toEqual([
      { name, folder: near },
      { name: 'bae-resourcespace-b', folder: join(project, 'node_modules/bae-resourcespace-b') },
    ]);
  });

  it('follows links, as package managers make them', async () => {
    const project = scratchFolder();
    const name = 'bae-resourcespace-a';
    const real = putPackage(join(project, 'store/a'), { name, code });
    mkdirSync(join(project, 'node_modules'));
    symlinkSync(real, join(project, 'node_modules', name));
    expect(await discoverPackages(project)).toEqual([{ name, folder: real }]);
  });

  it('finds nothing where nothing is installed', async () => {
    expect(await discoverPackages(scratchFolder())).toEqual([]);
  });
});
