import { chmodSync, existsSync, readFileSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { defineResourcespace, resourcespace, type SpaceDefinition } from '@bae/core';
import { pluginModule } from '@bae/plugins';
import { z } from 'zod';
import { scratchFolder } from '../../test/scratch-folder.ts';
import { findDevPackage, runBuild, listExportedSpaces } from './dev-package.ts';

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
    expect(await build).toBe('This operation was aborted');
  });
});

const space = (name: string): SpaceDefinition =>
  defineResourcespace({ name, description: 'One of several.', tools: {} });

@resourcespace({ name: 'shelf', description: 'A shelf.' })
class Shelf {
  enter(): string {
    return 'empty';
  }
}

const made = (exports: Readonly<Record<string, unknown>>) => listExportedSpaces(pluginModule('sample', exports), []);
const namesOf = (exports: Readonly<Record<string, unknown>>) => made(exports).map(({ name }) => name);

describe('the spaces that a module exports', () => {
  it('are classes, instances and records, by the names of the exports', () => {
    const exports = { Shelf, shelf: new Shelf(), tickets: space('tickets'), limit: 3 };
    expect(namesOf(exports)).toEqual(['Shelf', 'shelf', 'tickets']);
    expect(made(exports)[0]?.make([])).toBe(Shelf);
  });

  it('are those of a list, by their own names', () => {
    expect(namesOf({ spaces: [space('a'), Shelf], ignored: space('other') })).toEqual(['a', 'Shelf']);
  });

  it('count once, under the name that is not default', () => {
    const tickets = space('tickets');
    expect(namesOf({ default: tickets, tickets })).toEqual(['tickets']);
    expect(namesOf({ tickets, default: tickets, again: tickets })).toEqual(['tickets']);
  });

  it('are what a function makes, with the defaults of its options, anew each time', () => {
    const options = z.object({ names: z.array(z.string()).default(['one', 'two']) });
    const spaces = ({ names }: z.output<typeof options>) => names.map(space);
    const [one, two] = made({ options, spaces });
    expect([one?.name, two?.name]).toEqual(['one', 'two']);
    expect(one?.make([])).not.toBe(one?.make([]));
    expect(two?.make([])).toMatchObject({ name: 'two' });
  });

  it('are what a function makes of what each of them is given', () => {
    const spaces = (_options: unknown, provided: ReadonlyMap<string, string>) => [
      space(provided.get('name') ?? 'none'),
    ];
    const [one] = listExportedSpaces(pluginModule('sample', { spaces }), [{ token: 'name', value: 'named' }]);
    expect(one?.name).toBe('named');
    expect(one?.make([{ token: 'name', value: 'other' }])).toMatchObject({ name: 'other' });
  });

  it('are what a function makes without options, also a single one', () => {
    expect(namesOf({ spaces: () => space('alone'), ignored: space('other') })).toEqual(['alone']);
  });

  it('are tried with the example of their author, where defaults are not enough', () => {
    const options = z.object({ key: z.string() }).meta({ examples: [{ key: 'one' }] });
    expect(namesOf({ options, spaces: ({ key }: z.output<typeof options>) => space(key) })).toEqual(['one']);
  });

  it('cannot be had when options are required', () => {
    const options = z.object({ key: z.string() });
    expect(() => made({ options, spaces: () => [] })).toThrow('its spaces need options: key: ');
  });
});
