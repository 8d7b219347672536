import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { describeOutcome } from '../../test/describe-outcome.ts';
import { FoldingPin } from '../../test/folding-pin.ts';
import { temporaryFolder } from '../../test/temporary-folder.ts';
import { resolveGivenPath } from './resolve-path.ts';
import { RootFolder } from './root-folder.ts';

function openFolding(files: Readonly<Record<string, string>>): RootFolder {
  return new RootFolder(temporaryFolder(files), { pin: (path) => new FoldingPin(path) });
}

function resolveOn(root: RootFolder, given: string) {
  using resolved = resolveGivenPath(given, root);
  return { path: resolved.path, size: resolved.stats?.size, protection: resolved.protection?.is };
}

describe('on a disk that has one file for all spellings of its name', () => {
  it('a file has one path, the one that its folders list', () => {
    const root = openFolding({ 'src/Secret.ts': '1234', 'README.md': '' });
    expect(root.foldsNames).toBe(true);
    for (const given of ['src/Secret.ts', 'SRC/SECRET.TS', 'Src/secret.ts'])
      expect(resolveOn(root, given)).toMatchObject({ path: 'src/Secret.ts', size: 4 });
    expect(resolveOn(root, 'readme.MD')).toMatchObject({ path: 'README.md' });
  });

  it('a new file gets its name as it is given, in its folder as that is listed', () => {
    const root = openFolding({ 'src/a.ts': '' });
    expect(resolveOn(root, 'SRC/New.ts')).toMatchObject({ path: 'src/New.ts', size: undefined });
  });

  it('a short name leads to the path of its file, with its protection', () => {
    const root = openFolding({ 'package.json': '{}', '.npmrc': 'key', 'a.ts': '' });
    expect(resolveOn(root, 'PACKAG~1')).toMatchObject({ path: 'package.json', size: 2 });
    expect(resolveOn(root, 'npmrc~1')).toMatchObject({ path: '.npmrc', protection: 'may hold passwords' });
  });

  it('a file that its folder does not list is refused', async () => {
    const folder = temporaryFolder({ 'a.ts': '', 'other/b.ts': '' });
    class HidingPin extends FoldingPin {
      override child(name: string) {
        return name === 'hidden' ? new FoldingPin(join(folder, 'other/b.ts'), folder) : super.child(name);
      }
    }
    const root = new RootFolder(folder, { pin: (path) => new HidingPin(path) });
    expect(await describeOutcome(() => resolveOn(root, 'hidden'))).toBe(
      "PathError: hidden is outside the workspace: its folder does not list 'hidden'.\nTry: <G:**/hidden>",
    );
  });
});

describe('whether a disk does so', () => {
  it('is found out by the first name that has letters', () => {
    expect(openFolding({ '1': '', '2/3': '', a: '' }).foldsNames).toBe(true);
  });

  it('is asked again as long as the folder has no such name', () => {
    const folder = temporaryFolder({});
    const root = new RootFolder(folder, { pin: (path) => new FoldingPin(path) });
    expect(root.foldsNames).toBe(false);
    writeFileSync(join(folder, 'a.ts'), '');
    expect(root.foldsNames).toBe(true);
  });

  it('is not concluded from two files whose names differ in case only', () => {
    const root = new RootFolder(temporaryFolder({ a: '1', A: '22' }));
    mkdirSync(join(root.path, 'B'));
    expect(root.foldsNames).toBe(false);
    expect(resolveOn(root, 'a')).toMatchObject({ path: 'a', size: 1 });
    expect(resolveOn(root, 'A')).toMatchObject({ path: 'A', size: 2 });
    expect(resolveOn(root, 'b')).toMatchObject({ path: 'b', size: undefined });
  });
});
