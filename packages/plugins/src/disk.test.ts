import { execFileSync } from 'node:child_process';
import { chmodSync, mkdirSync, readdirSync, readFileSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { put, scratchFolder } from '../test/scratch.ts';
import { scanFolder, readBytes, findRealPath, swapFile } from './disk.ts';

describe('readBytes', () => {
  it('reads a file, and nothing else', () => {
    const folder = scratchFolder();
    put(folder, { a: 'text' });
    symlinkSync('a', join(folder, 'link'));
    symlinkSync('loop', join(folder, 'loop'));
    expect(String(readBytes(join(folder, 'a')))).toBe('text');
    expect(String(readBytes(join(folder, 'link')))).toBe('text');
    for (const name of ['', 'none', 'loop', 'a/b']) expect(readBytes(join(folder, name))).toBeUndefined();
  });

  it('does not wait for a pipe or a device', () => {
    const folder = scratchFolder();
    execFileSync('mkfifo', [join(folder, 'pipe')]);
    symlinkSync('/dev/zero', join(folder, 'zero'));
    expect(readBytes(join(folder, 'pipe'))).toBeUndefined();
    expect(readBytes(join(folder, 'zero'))).toBeUndefined();
  });
});

describe('scanFolder', () => {
  it('lists what is in a folder by name, links as links', () => {
    const folder = scratchFolder();
    put(folder, { b: '', 'a/c': '' });
    symlinkSync('../x', join(folder, 'link'));
    expect(scanFolder(folder)).toEqual([
      { name: 'a', kind: 'folder' },
      { name: 'b', kind: 'file' },
      { name: 'link', kind: 'link', link: '../x' },
    ]);
    expect(scanFolder(join(folder, 'none'))).toEqual([]);
    expect(scanFolder(join(folder, 'b'))).toEqual([]);
  });
});

describe('findRealPath', () => {
  it('follows links, and notices when nothing is there', () => {
    const folder = scratchFolder();
    mkdirSync(join(folder, 'real'));
    symlinkSync('real', join(folder, 'link'));
    expect(findRealPath(join(folder, 'link'))).toBe(join(folder, 'real'));
    expect(findRealPath(join(folder, 'none'))).toBeUndefined();
  });
});

describe('swapFile', () => {
  it('makes the folders above, and replaces what was there', () => {
    const path = join(scratchFolder(), 'deep/er/file.json');
    swapFile(path, 'one', 'everybody');
    swapFile(path, 'two', 'everybody');
    expect(readFileSync(path, 'utf8')).toBe('two');
    expect(readdirSync(join(path, '..'))).toEqual(['file.json']);
  });

  it('takes rights away from others that a file had before', () => {
    const path = join(scratchFolder(), 'file.json');
    writeFileSync(path, 'old');
    chmodSync(path, 0o666);
    swapFile(path, 'new', 'user');
    expect(statSync(path).mode & 0o777).toBe(0o600);
  });

  it('leaves the old file and nothing else when it fails', () => {
    const folder = scratchFolder();
    put(folder, { 'file.json/in-the-way': 'old' });
    expect(() => swapFile(join(folder, 'file.json'), 'new', 'user')).toThrow();
    expect(readdirSync(folder)).toEqual(['file.json']);
    expect(readFileSync(join(folder, 'file.json/in-the-way'), 'utf8')).toBe('old');
  });
});
