import { symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { scratchFolder } from '../../test/scratch-folder.ts';
import { devPackage } from './dev-package.ts';

const MANIFEST = { name: 'bae-resourcespace-tea', bae: { spaces: './dist/index.js' }, scripts: { build: 'tsc' } };

describe('devPackage', () => {
  it('finds a package by its folder, and looks at what it is made from, not at what is made of it', async () => {
    const { path, put } = scratchFolder();
    put('tea/package.json', MANIFEST);
    const { stamp, ...found } = await devPackage('tea', path);
    const folder = join(path, 'tea');
    expect(found).toEqual({ name: MANIFEST.name, folder, entry: join(folder, 'dist/index.js'), build: 'tsc' });
    const before = stamp();
    put('tea/dist/index.js', 'made');
    expect(stamp()).toBe(before);
    put('tea/src/index.ts', 'written');
    expect(stamp()).not.toBe(before);
  });

  it.each(['./src/index.js', './index.js'])('looks at %s where the sources are what is run', async (spaces) => {
    const { path, put } = scratchFolder();
    put('package.json', { ...MANIFEST, bae: { spaces } });
    const { stamp } = await devPackage('.', path);
    const before = stamp();
    put(spaces, 'written');
    expect(stamp()).not.toBe(before);
  });

  it('takes a single module as it is, whatever is around it', async () => {
    const { path, put } = scratchFolder();
    put('package.json', MANIFEST);
    put('tea.js', '');
    expect(await devPackage('./tea.js', path)).toMatchObject({
      name: 'tea.js',
      folder: path,
      entry: join(path, 'tea.js'),
    });
    expect((await devPackage('./tea.js', path)).build).toBeUndefined();
  });

  it('goes by the real path of a folder, as Node does with modules', async () => {
    const { path, put } = scratchFolder();
    put('tea/package.json', MANIFEST);
    symlinkSync('tea', join(path, 'link'));
    expect((await devPackage('link', path)).entry).toBe(join(path, 'tea/dist/index.js'));
  });

  it('says what to do when there is no package', async () => {
    const { path } = scratchFolder();
    await expect(devPackage('.', path)).rejects.toThrow('.: there is no package.json in it.');
    await expect(devPackage('./nowhere', path)).rejects.toThrow('there is no such folder or module');
  });
});
