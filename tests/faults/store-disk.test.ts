import { spawnSync } from 'node:child_process';
import { chmodSync, chownSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Store } from '@bae/store';
import { describe, expect, it } from 'vitest';
import { scratchFolder } from './scratch-folder.ts';
import { stepsIn, writeStep } from './scripted-session.ts';
import { onSmallDisk, whyNoSmallDisk } from './small-disk.ts';

const OTHER_FILE = 'use another file: --db FILE';
const reason = whyNoSmallDisk(import.meta.dirname);

describe.skipIf(reason !== undefined)(`a store on a disk that fails${reason ? ` (${reason})` : ''}`, () => {
  it('says that it is full, keeps what it has, and goes on when there is room', () => {
    const told = onSmallDisk(scratchFolder(), '8m', 'fill-disk.ts') as Record<
      string,
      { acknowledged: number; there: number }
    >;
    const full = ['StoreError', 'FILE: the disk is full.', 'free some space', OTHER_FILE];
    const { whenFull, atLast } = told;
    expect(told).toMatchObject({ full, again: full, afterwards: 'written', faults: [] });
    expect(whenFull?.there).toBe(whenFull?.acknowledged);
    expect(whenFull?.there).toBeGreaterThan(10);
    expect(atLast).toEqual({ acknowledged: whenFull!.acknowledged + 20, there: whenFull!.acknowledged + 20 });
  });

  it('says that it is read-only, and touches nothing', () => {
    const remedies = ['make the file and its folder writable', OTHER_FILE];
    expect(onSmallDisk(scratchFolder(), '4m', 'open-read-only.ts')).toEqual({
      errors: ['bae.db', 'new.db', 'sub/new.db'].map((name) => [
        'StoreError',
        `FOLDER/${name}: it is read-only.`,
        ...remedies,
      ]),
      same: true,
      names: ['bae.db'],
      there: 20,
    });
  });
});

/** Somebody without rights, for whom folders can be read-only. */
const NOBODY = 65_534;

describe('a store in a folder that is read-only', () => {
  it('says so, and touches nothing', () => {
    const folder = scratchFolder();
    const file = join(folder, 'bae.db');
    const store = Store.open(file);
    const session = store.createSession();
    for (let step = 1; step <= 20; step++) writeStep(store, session, step);
    store.close();
    const before = readFileSync(file);
    const isRoot = process.getuid?.() === 0;
    if (isRoot) chownSync(file, NOBODY, NOBODY);
    chmodSync(folder, 0o555);
    const path = join(import.meta.dirname, 'processes/open-store.ts');
    const options = { encoding: 'utf8', ...(isRoot && { uid: NOBODY, gid: NOBODY }) } as const;
    const { stdout } = spawnSync(process.execPath, [path, file, join(folder, 'new.db')], options);
    chmodSync(folder, 0o755);
    const remedies = ['make the file and its folder writable', OTHER_FILE];
    expect(JSON.parse(stdout)).toEqual([
      ['StoreError', `${file}: its folder is read-only.`, ...remedies],
      ['StoreError', `${folder}/new.db: permission denied.`, 'fix its permissions', OTHER_FILE],
    ]);
    expect(readdirSync(folder)).toEqual(['bae.db']);
    expect(readFileSync(file).equals(before)).toBe(true);
    const again = Store.open(file);
    expect(stepsIn(again, session)).toBe(20);
    again.close();
  });
});
