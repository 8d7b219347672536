import { rmSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { scratchFolder } from '../../test/scratch-folder.ts';
import { codeStamp } from './code-stamp.ts';

function folderWithCode() {
  const folder = scratchFolder();
  folder.put('src/a.ts', '1');
  folder.put('dist/a.js', '1');
  return folder;
}

describe('codeStamp', () => {
  it.each(['src/a.ts', 'src/deep/b.mjs', 'package.json', 'dist/b.js'])('is another one when %s is written', (name) => {
    const { path, put } = folderWithCode();
    const before = codeStamp(path);
    put(name, 'another text');
    expect(codeStamp(path)).not.toBe(before);
  });

  it.each(['notes.md', 'node_modules/a/index.js', '.git/a.js', 'dist/bae.manifest.json', 'src/.a.ts.swp'])(
    'does not look at %s',
    (name) => {
      const { path, put } = folderWithCode();
      const before = codeStamp(path);
      put(name, 'a text');
      expect(codeStamp(path)).toBe(before);
    },
  );

  it('is another one when a file is gone', () => {
    const { path } = folderWithCode();
    const before = codeStamp(path);
    rmSync(join(path, 'src/a.ts'));
    expect(codeStamp(path)).not.toBe(before);
  });

  it('leaves out one more folder, but not others of its name', () => {
    const { path, put } = folderWithCode();
    const before = codeStamp(path, 'dist');
    put('dist/b.js', 'a text');
    expect(codeStamp(path, 'dist')).toBe(before);
    put('src/dist/b.js', 'a text');
    expect(codeStamp(path, 'dist')).not.toBe(before);
  });

  it('does not follow links, nor mind those that lead nowhere', () => {
    const { path } = folderWithCode();
    symlinkSync('.', join(path, 'loop'));
    symlinkSync('nowhere.ts', join(path, 'gone.ts'));
    expect(codeStamp(path).split('\n')).toHaveLength(2);
  });
});
