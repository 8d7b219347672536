import { rmSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { scratchFolder } from '../../test/scratch-folder.ts';
import { readCodeStamp, watch } from './dev-package.ts';

function folderWithCode() {
  const folder = scratchFolder();
  folder.put('src/a.ts', '1');
  folder.put('dist/a.js', '1');
  return folder;
}

describe('readCodeStamp', () => {
  it.each(['src/a.ts', 'src/deep/b.mjs', 'package.json', 'dist/b.js'])('is another one when %s is written', (name) => {
    const { path, put } = folderWithCode();
    const before = readCodeStamp(path);
    put(name, 'another text');
    expect(readCodeStamp(path)).not.toBe(before);
  });

  it.each(['notes.md', 'node_modules/a/index.js', '.git/a.js', 'dist/bae.manifest.json', 'src/.a.ts.swp'])(
    'does not look at %s',
    (name) => {
      const { path, put } = folderWithCode();
      const before = readCodeStamp(path);
      put(name, 'a text');
      expect(readCodeStamp(path)).toBe(before);
    },
  );

  it('differs when a file was deleted', () => {
    const { path } = folderWithCode();
    const before = readCodeStamp(path);
    rmSync(join(path, 'src/a.ts'));
    expect(readCodeStamp(path)).not.toBe(before);
  });

  it('leaves out one more folder, but not others of its name', () => {
    const { path, put } = folderWithCode();
    const before = readCodeStamp(path, 'dist');
    put('dist/b.js', 'a text');
    expect(readCodeStamp(path, 'dist')).toBe(before);
    put('src/dist/b.js', 'a text');
    expect(readCodeStamp(path, 'dist')).not.toBe(before);
  });

  it('does not follow links, nor mind those that lead nowhere', () => {
    const { path } = folderWithCode();
    symlinkSync('.', join(path, 'loop'));
    symlinkSync('nowhere.ts', join(path, 'gone.ts'));
    expect(readCodeStamp(path).split('\n')).toHaveLength(2);
  });
});

const looks = (count: number) => vi.advanceTimersByTimeAsync(count * 200);

describe('watch', () => {
  beforeEach(() => void vi.useFakeTimers());
  afterEach(() => void vi.useRealTimers());

  it('acts once what has changed stays the same', async () => {
    let text = 'a';
    const act = vi.fn<() => Promise<void>>(async () => undefined);
    const stop = watch(() => text, act);
    await looks(3);
    text = 'b';
    await looks(1);
    text = 'bc';
    await looks(1);
    expect(act).toHaveBeenCalledTimes(0);
    await looks(5);
    expect(act).toHaveBeenCalledTimes(1);
    stop();
  });

  it('does not act for what is again as it was', async () => {
    let text = 'a';
    const act = vi.fn<() => Promise<void>>(async () => undefined);
    const stop = watch(() => text, act);
    text = 'b';
    await looks(1);
    text = 'a';
    await looks(3);
    expect(act).not.toHaveBeenCalled();
    stop();
  });

  it('acts again for a change that came while it was at work, after that', async () => {
    let text = 'a';
    let finish = () => {};
    const act = vi.fn<() => Promise<void>>(() => new Promise((resolve) => (finish = resolve)));
    const stop = watch(() => text, act);
    text = 'b';
    await looks(3);
    text = 'c';
    await looks(5);
    expect(act).toHaveBeenCalledTimes(1);
    finish();
    await looks(3);
    expect(act).toHaveBeenCalledTimes(2);
    stop();
  });

  it('looks no more when it is stopped', async () => {
    const look = vi.fn<() => string>(() => 'a');
    watch(look, async () => undefined)();
    await looks(5);
    expect(look).toHaveBeenCalledTimes(1);
    expect(vi.getTimerCount()).toBe(0);
  });
});
