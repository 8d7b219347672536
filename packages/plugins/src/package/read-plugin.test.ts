import { describe, expect, it } from 'vitest';
import { putPackage, spaceModule } from '../../test/sample-package.ts';
import { put, scratchFolder } from '../../test/scratch.ts';
import { writeManifest } from '../manifest/write-manifest.ts';
import { readPlugin } from './read-plugin.ts';

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
    expect(refused(folder)).toBe('FOLDER is no package: it has no package.json. Name the folder of one.');
    put(folder, { 'package.json': '{"name": ' });
    expect(refused(folder)).toMatch(/^FOLDER\/package\.json cannot be read: .+\.$/);
    put(folder, { 'package.json': '[]' });
    expect(refused(folder)).toBe('FOLDER/package.json has no name or no version. Add both.');
    expect(refused(putPackage(scratchFolder(), { name, code, keywords: ['space'] }))).toBe(
      `${name} is no package of resourcespaces: its package.json lacks the keyword "bae-resourcespace". Add it to "keywords".`,
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
