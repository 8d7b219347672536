import { fstatSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { temporaryFolder } from '../../test/temporary-folder.ts';
import { holdContent } from '../file/file-content.ts';
import { PathQueue } from '../write/file-lock.ts';
import { StampFinder } from '../list/folder-cache.ts';
import { RootFolder } from '../path/root-folder.ts';
import { ContentPack, KeptFiles, type KeptFile } from './kept-files.ts';
import { FileKeeper } from './file-keeper.ts';
import { Journal, MemoryStore } from './journal.ts';
import { Undo } from './undo.ts';

/** A store that shows the files without a name that it has opened. */
class WatchedStore extends MemoryStore {
  readonly opened: number[] = [];

  override async openUnnamed(): Promise<number> {
    const descriptor = await super.openUnnamed();
    this.opened.push(descriptor);
    return descriptor;
  }

  /** Their sizes in bytes. */
  get sizes(): readonly number[] {
    return this.opened.map((descriptor) => fstatSync(descriptor).size);
  }
}

function bounded(files: Readonly<Record<string, string>>) {
  const folder = temporaryFolder(files);
  const bounds = { operations: 100, bytes: 100_000, kept: 5000 };
  const root = new RootFolder(folder);
  const store = new WatchedStore();
  const writer = { pid: 1, birth: '', host: '' };
  const ports = { root, journal: new Journal('one', store, { bounds, writer }), queue: new PathQueue() };
  const undo = new Undo(ports);
  return { folder, ports, store, undo, keeper: new FileKeeper(ports, () => undo.settle()) };
}

it('keeps the smallest files up to a total size', async () => {
  const { keeper, undo, folder } = bounded({
    'small.txt': '1',
    'mid.bin': 'm'.repeat(3000),
    'big.bin': 'b'.repeat(4000),
  });
  const kept = await keeper.keep();
  for (const name of ['small.txt', 'mid.bin', 'big.bin']) writeFileSync(join(folder, name), '2');
  writeFileSync(join(folder, 'new.bin'), 'n'.repeat(6000));
  const limit = 'and at most 5 KB are kept in all';
  expect(await kept.record('one')).toEqual([
    { path: 'big.bin', isGone: false, obstacle: `it has 4 KB, ${limit}` },
    { path: 'mid.bin', isGone: false },
    { path: 'new.bin', isGone: false, obstacle: `it has 6 KB, ${limit}` },
    { path: 'small.txt', isGone: false },
  ]);
  expect((await undo.undo({})).undone).toHaveLength(2);
  expect(readFileSync(join(folder, 'mid.bin'), 'utf8')).toBe('m'.repeat(3000));
});

it('copies all files anew before old versions fill the disk', async () => {
  const { keeper, undo, folder, store } = bounded({ 'a.bin': 'a'.repeat(3000), 'b.txt': '1' });
  await setTimeout(200);
  for (const text of ['b', 'c', 'd', 'e']) {
    const kept = await keeper.keep();
    writeFileSync(join(folder, 'a.bin'), text.repeat(3000));
    expect(await kept.record('one')).toEqual([{ path: 'a.bin', isGone: false }]);
  }
  expect(store.sizes).toEqual([9001, 3001]);
  const kept = await keeper.keep();
  writeFileSync(join(folder, 'b.txt'), '2');
  expect(await kept.record('one')).toEqual([{ path: 'b.txt', isGone: false }]);
  expect((await undo.undo({ steps: 9 })).undone).toHaveLength(5);
  expect(readFileSync(join(folder, 'a.bin'), 'utf8')).toBe('a'.repeat(3000));
  expect(readFileSync(join(folder, 'b.txt'), 'utf8')).toBe('1');
});

it('compares by content where the clock of the disk shows no difference', async () => {
  const { folder, ports, store, undo } = bounded({ 'a.txt': '1', 'b.txt': '1' });
  const pack = new ContentPack(await store.openUnnamed());
  const kept = new Map<string, KeptFile>();
  const finder = new StampFinder(ports.root);
  for (const path of ['a.txt', 'b.txt'])
    kept.set(path, { ...(await pack.add(holdContent(Buffer.from('1')).chunks())), stamp: '', mode: 0o644 });
  writeFileSync(join(folder, 'a.txt'), '2');
  // As if these stamps had been read before the change.
  const { stamps, folders } = await finder.look({ pattern: '**/*' });
  const before = { since: ports.journal.mark(), stamps, folders, kept, unkept: new Map<string, string>() };
  const files = new KeptFiles(before, { ...ports, finder });
  expect(await files.record('one')).toEqual([{ path: 'a.txt', isGone: false }]);
  await undo.undo({});
  expect(readFileSync(join(folder, 'a.txt'), 'utf8')).toBe('1');
});
