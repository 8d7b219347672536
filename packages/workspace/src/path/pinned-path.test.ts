import { execFileSync } from 'node:child_process';
import { constants, mkdirSync, readdirSync, readFileSync, renameSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { describeOutcome } from '../../test/describe-outcome.ts';
import { temporaryFolder } from '../../test/temporary-folder.ts';
import { openFile } from '../file/open-file.ts';
import { readFolderEntries } from '../list/list-files.ts';
import { DescriptorPin, HAS_DESCRIPTORS, NamePin } from './pinned-path.ts';
import { resolveGivenPath } from './resolve-path.ts';
import { RootFolder } from './root-folder.ts';
import { writeFileAtomically } from '../write/write-atomically.ts';

describe.runIf(HAS_DESCRIPTORS)('a path that is pinned by descriptor', () => {
  it('stays the same for this process and others when its name leads elsewhere', () => {
    const parent = temporaryFolder({ 'root/a.txt': 'inside', 'outside/a.txt': 'outside' });
    using pin = new DescriptorPin(join(parent, 'root'));
    renameSync(join(parent, 'root'), join(parent, 'moved'));
    symlinkSync('outside', join(parent, 'root'));
    expect(readFileSync(pin.childAddress('a.txt'), 'utf8')).toBe('inside');
    const where = execFileSync('pwd', ['-P'], { cwd: pin.externalAddress, encoding: 'utf8' });
    expect(where).toBe(`${parent}/moved\n`);
  });

  it('is a link itself, not what it leads to', () => {
    const folder = temporaryFolder({ 'a.txt': '' });
    symlinkSync('a.txt', join(folder, 'link'));
    using root = new DescriptorPin(folder);
    using link = root.child('link');
    expect(link?.stats.isSymbolicLink()).toBe(true);
    expect(root.child('none')).toBeUndefined();
    expect(link?.child('below')).toBeUndefined();
  });

  it('is opened without waiting, and without effect until then', async () => {
    const folder = temporaryFolder();
    execFileSync('mkfifo', [join(folder, 'pipe')]);
    using root = new DescriptorPin(folder);
    using pipe = root.child('pipe');
    expect(pipe?.stats.isFIFO()).toBe(true);
    const handle = await pipe!.open(constants.O_RDONLY);
    await handle.close();
  });

  it('is released', () => {
    const folder = temporaryFolder();
    mkdirSync(join(folder, 'd'));
    const before = readdirSync('/proc/self/fd').length;
    for (let time = 0; time < 50; time++) {
      using root = new DescriptorPin(folder);
      using child = root.child('d');
      expect(child?.stats.isDirectory()).toBe(true);
    }
    expect(readdirSync('/proc/self/fd').length).toBe(before);
  });
});

/** A root whose folder `door` can be exchanged for a link that leads out. */
function scene() {
  const parent = temporaryFolder({
    'root/door/a.txt': 'inside',
    'root/door/deep/b.txt': 'inside',
    'outside/a.txt': 'outside',
    'outside/deep/b.txt': 'outside',
  });
  const root = join(parent, 'root');
  const exchange = (): void => {
    renameSync(join(root, 'door'), join(root, 'room'));
    symlinkSync('../outside', join(root, 'door'));
  };
  return { parent, root, exchange };
}

const KINDS = [
  ['by name', (path: string) => new NamePin(path)] as const,
  ...(HAS_DESCRIPTORS ? [['by descriptor', (path: string) => new DescriptorPin(path)] as const] : []),
];

const bytes = Buffer.from('written');

describe.each(KINDS)('a path that is pinned %s', (kind, hold) => {
  it('is found and read', async () => {
    const { root } = scene();
    symlinkSync('door/deep', join(root, 'link'));
    for (const path of ['door/deep/b.txt', 'link/b.txt', join(root, 'link/b.txt')]) {
      using place = resolveGivenPath(path, new RootFolder(root, hold));
      expect(place.path).toBe('door/deep/b.txt');
      await using file = await openFile(place);
      expect(await file.readFile('utf8')).toBe('inside');
    }
  });

  it('is written with the folders above it', async () => {
    const { root } = scene();
    const folder = new RootFolder(root, hold);
    using place = resolveGivenPath('door/new/er/c.txt', folder);
    await writeFileAtomically(place, { content: bytes });
    using there = resolveGivenPath('door/new/er', folder);
    expect((await readFolderEntries(there)).map(({ name }) => name)).toEqual(['c.txt']);
  });

  it('does not lead out when a folder on the way becomes a link before it is read', async () => {
    const { root, exchange } = scene();
    using place = resolveGivenPath('door/deep/b.txt', new RootFolder(root, hold));
    exchange();
    const read = async (): Promise<string> => {
      await using file = await openFile(place);
      return await file.readFile('utf8');
    };
    expect(await describeOutcome(read)).toBe(
      kind === 'by name'
        ? 'FileError: door/deep/b.txt: a part of the path was exchanged while it was used.\nTry: <R:.>'
        : 'no error: "inside"',
    );
  });

  it('does not lead out when a folder on the way becomes a link before it is written', async () => {
    const { parent, root, exchange } = scene();
    const folder = new RootFolder(root, hold);
    using old = resolveGivenPath('door/a.txt', folder);
    using fresh = resolveGivenPath('door/new/c.txt', folder);
    exchange();
    for (const place of [old, fresh]) await describeOutcome(() => writeFileAtomically(place, { content: bytes }));
    const outside = new RootFolder(join(parent, 'outside'), hold);
    using all = resolveGivenPath('', outside);
    expect((await readFolderEntries(all)).map(({ name }) => name).toSorted()).toEqual(['a.txt', 'deep']);
    using untouched = resolveGivenPath('a.txt', outside);
    await using file = await openFile(untouched);
    expect(await file.readFile('utf8')).toBe('outside');
  });

  it('does not lead out when a folder becomes a link before it is listed', async () => {
    const { parent, root, exchange } = scene();
    writeFileSync(join(parent, 'outside/only-outside.txt'), '');
    using place = resolveGivenPath('door', new RootFolder(root, hold));
    exchange();
    expect(await describeOutcome(() => readFolderEntries(place))).not.toContain('only-outside');
  });

  it('does not become another file of the same name', async () => {
    const { root } = scene();
    using place = resolveGivenPath('door/a.txt', new RootFolder(root, hold));
    writeFileSync(join(root, 'door/fresh.txt'), 'fresh');
    renameSync(join(root, 'door/fresh.txt'), join(root, 'door/a.txt'));
    const read = async (): Promise<string> => {
      await using file = await openFile(place);
      return await file.readFile('utf8');
    };
    expect(await describeOutcome(read)).toMatch(/was exchanged while it was used|no error: "inside"/);
  });
});

describe('a path that is pinned by name', () => {
  it('is not followed out when it becomes a link itself', async () => {
    const { root, parent } = scene();
    const held = new NamePin(root).child('door')!.child('a.txt')!;
    renameSync(join(root, 'door/a.txt'), join(root, 'door/kept.txt'));
    symlinkSync(join(parent, 'outside/a.txt'), join(root, 'door/a.txt'));
    await expect(held.open(constants.O_RDONLY)).rejects.toThrow();
    await expect(held.confirm()).rejects.toThrow('exchanged');
  });

  it('may be below a folder whose name begins like the root', async () => {
    const { root, parent } = scene();
    mkdirSync(`${root}-other`);
    writeFileSync(join(`${root}-other`, 'a.txt'), 'outside');
    const held = new NamePin(root).child('door')!;
    renameSync(join(root, 'door'), join(root, 'room'));
    symlinkSync(`${root}-other`, join(root, 'door'));
    await expect(held.confirm()).rejects.toThrow('exchanged');
    expect(parent).not.toBe(root);
  });
});
