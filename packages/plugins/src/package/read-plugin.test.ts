import { mkdirSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, beforeEach } from 'vitest';
import { putPackage, spaceModule } from '../../test/sample-package.ts';
import { put, scratchFolder } from '../../test/scratch.ts';
import { writeManifest } from '../manifest/write-manifest.ts';
import { readPlugin, discoverPackages, findPlugin, isPluginName, packageName, shortName } from './read-plugin.ts';

const name = 'bae-resourcespace-tickets';
const code = spaceModule('tickets');

function refused(folder: string): string {
  try {
    readPlugin(folder);
    return 'nothing';
  } catch (error) {
    return (error as Error).message.replaceAll(folder, 'FOLDER');
  }
}

describe('readPlugin', () => {
  it('reads how a package describes itself', async () => {
    const folder = putPackage(scratchFolder(), { name, code });
    await writeManifest(folder, []);
    expect(readPlugin(folder)).toMatchObject({
      name,
      version: '1.0.0',
      folder,
      entry: `${folder}/dist/index.js`,
      manifestFile: `${folder}/dist/bae.manifest.json`,
      manifest: { spaces: [{ name: 'tickets', tools: [{ name: 'read', effect: 'read' }] }] },
    });
  });

  it.each([
    [
      '^2',
      'is made for plugin API ^2; this bae has 1.0.0. Install a version of bae-resourcespace-tickets for it, or another bae.',
    ],
    [
      '>=1.1',
      'is made for plugin API >=1.1; this bae has 1.0.0. Install a version of bae-resourcespace-tickets for it, or another bae.',
    ],
  ])('refuses one for API %s', (api, reason) => {
    expect(refused(putPackage(scratchFolder(), { name, code, api }))).toBe(`${name} ${reason}`);
  });

  it.each(['^1', '~1.0', '1.x', '*', '1.0.0', '>=1 <3', '^1 || ^3'])('takes one for API %s', (api) => {
    expect(refused(putPackage(scratchFolder(), { name, code, api }))).toContain('has no manifest');
  });

  it.each([
    [undefined, 'nothing'],
    [1, '1'],
    ['newest', '"newest"'],
    ['', '""'],
    ['^', '"^"'],
    ['1.2.3.4', '"1.2.3.4"'],
    ['>=1 beta', '">=1 beta"'],
  ])('explains how to write the API when it is %j', (api, got) => {
    const folder = scratchFolder();
    put(folder, {
      'package.json': JSON.stringify({
        name,
        version: '1.0.0',
        keywords: ['bae-resourcespace'],
        bae: { ...(api !== undefined && { api }), spaces: './a.js', manifest: './b.json' },
      }),
    });
    expect(refused(folder)).toBe(
      `${name}: "bae.api" of its package.json: expected a range of versions like "^1"; got ${got}. ` +
        'Write "bae": { "api": "^1", "spaces": "./dist/index.js", "manifest": "./dist/bae.manifest.json" }.',
    );
  });

  it.each(['../outside.js', 'dist/../../outside.js', './node_modules/x/index.js', '..', '', '.', 5])(
    'lets the module of its spaces be only a file of the package, not %j',
    (spaces) => {
      const folder = scratchFolder();
      const bae = { api: '^1', spaces, manifest: './b.json' };
      put(folder, { 'package.json': JSON.stringify({ name, version: '1.0.0', keywords: ['bae-resourcespace'], bae }) });
      const got = JSON.stringify(spaces);
      expect(refused(folder)).toContain(
        `"bae.spaces" of its package.json: expected a file of the package; got ${got}.`,
      );
    },
  );

  it('reports what is wrong with a package.json', () => {
    const folder = scratchFolder();
    expect(refused(folder)).toBe('FOLDER is not a package: it has no package.json. Name the folder of a package.');
    put(folder, { 'package.json': '{"name": ' });
    expect(refused(folder)).toMatch(/^FOLDER\/package\.json cannot be read: .+\.$/);
    put(folder, { 'package.json': '[]' });
    expect(refused(folder)).toBe('FOLDER/package.json has no name or no version. Add both.');
    expect(refused(putPackage(scratchFolder(), { name, code, keywords: ['space'] }))).toBe(
      `${name} is not a package of resourcespaces: its package.json lacks the keyword "bae-resourcespace". Add it to "keywords".`,
    );
  });

  it('reports what is wrong with a manifest', async () => {
    const folder = putPackage(scratchFolder(), { name, code });
    expect(refused(folder)).toBe(
      `${name} has no manifest: FOLDER/dist/bae.manifest.json is not there. Its author writes it with bae manifest.`,
    );
    const update = 'Its author updates it with bae manifest.';
    put(folder, { 'dist/bae.manifest.json': '{' });
    expect(refused(folder)).toBe(
      `${name}: its manifest cannot be used: Invalid input: expected object, received undefined. ${update}`,
    );
    const { manifest } = await writeManifest(folder, []);
    put(folder, { 'dist/bae.manifest.json': JSON.stringify({ ...manifest, manifest: 3 }) });
    expect(refused(folder)).toBe(
      `${name}: its manifest cannot be used: manifest: Invalid option: expected one of 1|2. ${update}`,
    );
    const [space] = manifest.spaces;
    const tools = [{ ...space!.tools[0], effect: 'none' }];
    put(folder, { 'dist/bae.manifest.json': JSON.stringify({ ...manifest, spaces: [{ ...space, tools }] }) });
    expect(refused(folder)).toBe(
      `${name}: its manifest cannot be used: spaces.0.tools.0.effect: Invalid option: expected one of "read"|"write"|"external". ${update}`,
    );
    put(folder, { 'dist/bae.manifest.json': JSON.stringify({ ...manifest, name: 'other' }) });
    expect(refused(folder)).toBe(`${name}: its manifest is that of other. ${update}`);
  });
});

describe('packageName', () => {
  it.each([
    ['tickets', 'bae-resourcespace-tickets'],
    ['@acme/tickets', '@acme/bae-resourcespace-tickets'],
    ['bae-resourcespace-tickets', 'bae-resourcespace-tickets'],
    ['@acme/bae-resourcespace-tickets', '@acme/bae-resourcespace-tickets'],
  ])('reads %s as %s', (written, name) => {
    expect(packageName(written)).toBe(name);
    expect(packageName(shortName(name))).toBe(name);
  });

  it.each([
    '',
    '.',
    '../tickets',
    './tickets',
    'a b',
    '@acme',
    '@acme/',
    'a/b',
    '@a/b/c',
    'Tickets',
    'node_modules/../x',
  ])('takes %j for no name', (written) => {
    expect(packageName(written)).toBeUndefined();
  });
});

describe('isPluginName', () => {
  it('recognizes the names that packages of resourcespaces have', () => {
    expect(['bae-resourcespace-a', '@b/bae-resourcespace-a'].every(isPluginName)).toBe(true);
    expect(
      ['bae-resourcespace-', 'bae-resourcespace', 'my-bae-resourcespace-a', '@b/a', 'lodash'].some(isPluginName),
    ).toBe(false);
  });
});

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

let project: string;
beforeEach(() => {
  project = scratchFolder();
});

const install = (name: string, folder = join('node_modules', name)) =>
  putPackage(join(project, folder), { name, code });

describe('findPlugin', () => {
  it('finds a package by its short name and by its whole name', async () => {
    const folder = install('bae-resourcespace-tickets');
    const scoped = install('@acme/bae-resourcespace-tickets');
    for (const named of ['tickets', 'bae-resourcespace-tickets'])
      expect(await findPlugin(named, project)).toEqual({ folder });
    for (const named of ['@acme/tickets', '@acme/bae-resourcespace-tickets'])
      expect(await findPlugin(named, project)).toEqual({ folder: scoped });
  });

  it('looks in the folders above', async () => {
    const folder = install('bae-resourcespace-tickets');
    expect(await findPlugin('tickets', join(project, 'apps/shop/deep'))).toEqual({ folder });
  });

  it('finds a folder by its path, and where a link leads', async () => {
    const folder = install('bae-resourcespace-notes', 'spaces/notes');
    mkdirSync(join(project, 'apps'));
    symlinkSync(folder, join(project, 'apps/link'));
    expect(await findPlugin('./spaces/notes', project)).toEqual({ folder });
    expect(await findPlugin('../spaces/notes', join(project, 'apps'))).toEqual({ folder });
    expect(await findPlugin(folder, '/')).toEqual({ folder });
    expect(await findPlugin('./link', join(project, 'apps'))).toEqual({ folder });
    expect(await findPlugin('.', folder)).toEqual({ folder });
    expect(await findPlugin('..', join(folder, 'dist'))).toEqual({ folder });
  });

  it('does not take a folder for a package that nobody named by its path', async () => {
    install('bae-resourcespace-notes', 'notes');
    expect(await findPlugin('notes', project)).toEqual({
      problem: 'no package bae-resourcespace-notes is installed. Install it: npm install bae-resourcespace-notes',
    });
  });

  it('offers the nearest name of those that are installed', async () => {
    install('bae-resourcespace-tickets');
    install('@acme/bae-resourcespace-orders');
    expect(await findPlugin('tikets', project)).toEqual({
      problem: 'no package bae-resourcespace-tikets is installed. Did you mean "tickets"?',
    });
    expect(await findPlugin('@acme/order', project)).toEqual({
      problem: 'no package @acme/bae-resourcespace-order is installed. Did you mean "@acme/orders"?',
    });
  });

  it.each(['', 'a b', 'Tickets', '@acme', 'a/b', '\u0000'])('reports that %j is not a name', async (named) => {
    expect(await findPlugin(named, project)).toEqual({
      problem: `expected a name like "tickets" or a folder like "./spaces/tickets"; got ${JSON.stringify(named)}.`,
    });
  });

  it('reports that nothing is at a path', async () => {
    expect(await findPlugin('./nowhere', project)).toEqual({
      problem: 'expected the folder of a package; got "./nowhere", and nothing is there.',
    });
  });
});
