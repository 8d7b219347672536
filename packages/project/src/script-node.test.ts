import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { getPlatform } from './platform/this-platform.ts';
import { findScriptNode } from './script-node.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'bae-node-'));
  mkdirSync(join(folder, 'project/packages/one'), { recursive: true });
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

/** Makes a program that says a version, and returns its path. */
function makeNode(place: string, version: string): string {
  const path = join(folder, place, 'node');
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, `#!/bin/sh\necho v${version}\n`);
  chmodSync(path, 0o755);
  return path;
}

function find(...folders: readonly string[]) {
  const PATH = folders.map((one) => join(folder, one)).join(':');
  const platform = { ...getPlatform(), variables: { ...getPlatform().variables, PATH } };
  const place = { folder: join(folder, 'project/packages/one'), project: join(folder, 'project'), platform };
  return findScriptNode(place, new AbortController().signal);
}

describe.skipIf(getPlatform().isWindows)('findScriptNode', () => {
  it('finds the first of the PATH, apart from packages of what started bae', async () => {
    makeNode('bae/node_modules/.bin', '24.0.0');
    const usual = makeNode('usual', '20.0.0');
    const { program, path, difference } = await find('bae/node_modules/.bin', 'usual');
    expect(program).toBe(usual);
    const bins = ['project/packages/one', 'project/packages', 'project'].map((one) => `${one}/node_modules/.bin`);
    expect(path).toBe([...bins, 'usual'].map((one) => join(folder, one)).join(':'));
    expect(difference).toBe('');
  });

  it('finds one that the project installs, and says so if it is another', async () => {
    makeNode('usual', '20.0.0');
    const own = makeNode('project/node_modules/.bin', '22.1.0');
    const difference = 'Run by Node 22.1.0 of the project, not by that of the PATH.';
    expect(await find('usual')).toMatchObject({ program: own, difference });
    makeNode('usual', '22.1.0');
    expect(await find('usual')).toMatchObject({ program: own, difference: '' });
  });

  it('takes that of bae if there is none, and says so', async () => {
    const { program, path, difference } = await find('empty');
    expect(program).toBe(process.execPath);
    expect(path).toMatch(new RegExp(`:${dirname(process.execPath)}$`));
    expect(difference).toBe(`Run by Node ${process.versions.node} of bae: the PATH has none.`);
  });
});
