import { chmodSync, existsSync, readFileSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { scratchFolder } from '../../test/scratch-folder.ts';
import { findDevPackage, runBuild } from './dev-package.ts';

const MANIFEST = { name: 'bae-resourcespace-tea', bae: { spaces: './dist/index.js' }, scripts: { build: 'tsc' } };

describe('findDevPackage', () => {
  it('finds a package by its folder, and looks at what it is made from, not at what is made of it', async () => {
    const { path, put } = scratchFolder();
    put('tea/package.json', MANIFEST);
    const { stamp, ...found } = await findDevPackage('tea', path);
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
    const { stamp } = await findDevPackage('.', path);
    const before = stamp();
    put(spaces, 'written');
    expect(stamp()).not.toBe(before);
  });

  it('takes a single module as it is, whatever is around it', async () => {
    const { path, put } = scratchFolder();
    put('package.json', MANIFEST);
    put('tea.js', '');
    expect(await findDevPackage('./tea.js', path)).toMatchObject({
      name: 'tea.js',
      folder: path,
      entry: join(path, 'tea.js'),
    });
    expect((await findDevPackage('./tea.js', path)).build).toBeUndefined();
  });

  it('goes by the real path of a folder, as Node does with modules', async () => {
    const { path, put } = scratchFolder();
    put('tea/package.json', MANIFEST);
    symlinkSync('tea', join(path, 'link'));
    expect((await findDevPackage('link', path)).entry).toBe(join(path, 'tea/dist/index.js'));
  });

  it('explains what to do when there is no package', async () => {
    const { path } = scratchFolder();
    await expect(findDevPackage('.', path)).rejects.toThrow('.: there is no package.json in it.');
    await expect(findDevPackage('./nowhere', path)).rejects.toThrow('there is no such folder or module');
  });
});

const signal = new AbortController().signal;

function packageWith(build?: string) {
  const { path } = scratchFolder();
  return { name: 'tea', folder: path, entry: join(path, 'index.js'), stamp: () => '', ...(build && { build }) };
}

describe('runBuild', () => {
  it('runs in the folder of the package, with the programs of its packages', async () => {
    const { path, put } = scratchFolder();
    put('node_modules/.bin/brew', '#!/bin/sh\ntouch brewed\n');
    const found = {
      ...packageWith('sh node_modules/.bin/brew && case "$PATH" in "$PWD/node_modules/.bin:"*) ;; *) exit 1; esac'),
    };
    expect(await runBuild({ ...found, folder: path }, signal)).toBeUndefined();
    expect(existsSync(join(path, 'brewed'))).toBe(true);
  });

  it('finds the programs of a project that the package lies in, after its own', async () => {
    const { path, put } = scratchFolder();
    for (const [folder, name] of [
      ['', 'brew'],
      ['', 'pour'],
      ['spaces/tea/', 'pour'],
    ] as const) {
      put(`${folder}node_modules/.bin/${name}`, `#!/bin/sh\necho "$0" >> said\n`);
      chmodSync(join(path, `${folder}node_modules/.bin/${name}`), 0o755);
    }
    const folder = join(path, 'spaces/tea');
    expect(await runBuild({ ...packageWith('brew && pour'), folder }, signal)).toBeUndefined();
    expect(readFileSync(join(folder, 'said'), 'utf8').split('\n')).toEqual([
      join(path, 'node_modules/.bin/brew'),
      join(folder, 'node_modules/.bin/pour'),
      '',
    ]);
  });

  it('has nothing to do where there is nothing to build', async () => {
    expect(await runBuild(packageWith(), signal)).toBeUndefined();
  });

  it('gives back all that a build printed that failed', async () => {
    expect(await runBuild(packageWith('echo one; echo two >&2; exit 3'), signal)).toMatch(/^(one\ntwo|two\none)$/);
    expect(await runBuild(packageWith('exit 3'), signal)).toBe('exit 3 ended with 3');
  });

  it('ends a build when it is asked to', async () => {
    const stop = new AbortController();
    const build = runBuild(packageWith('exec sleep 60'), stop.signal);
    stop.abort();
    expect(await build).toBe('The operation was aborted');
  });
});
