import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { readLayers, writeScaffold } from './scaffold.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'bae-create-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

describe('readLayers', () => {
  it('takes a file of a later layer in place of an earlier one', () => {
    for (const [path, text] of [
      ['one/a.txt', 'first'],
      ['one/src/b.txt', 'b'],
      ['two/a.txt', 'second'],
    ] as const) {
      mkdirSync(join(folder, path, '..'), { recursive: true });
      writeFileSync(join(folder, path), text);
    }
    const files = readLayers([join(folder, 'one'), join(folder, 'two')]);
    expect([...files]).toEqual([
      ['a.txt', 'second'],
      ['src/b.txt', 'b'],
    ]);
  });
});

describe('writeScaffold', () => {
  const files = new Map([['src/a.ts', 'new']]);

  it('makes the folders it needs, also in an empty repository', () => {
    mkdirSync(join(folder, 'new/.git'), { recursive: true });
    writeScaffold(join(folder, 'new'), files);
    expect(readFileSync(join(folder, 'new/src/a.ts'), 'utf8')).toBe('new');
  });

  it('changes nothing where something is', () => {
    writeFileSync(join(folder, 'mine.txt'), 'mine');
    expect(() => writeScaffold(folder, files)).toThrow(
      `${folder} already exists and is not empty. Nothing was written.`,
    );
    expect(readdirSync(folder)).toEqual(['mine.txt']);
  });

  it('explains why a folder cannot be made', () => {
    writeFileSync(join(folder, 'file'), '');
    expect(() => writeScaffold(join(folder, 'file/below'), files)).toThrow(
      /file\/below cannot be (used|written): ENOTDIR/,
    );
    expect(() => writeScaffold(join(folder, 'file'), files)).toThrow(/file cannot be used: ENOTDIR/);
  });
});
