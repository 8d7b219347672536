import { execFileSync } from 'node:child_process';
import {
  constants,
  mkdirSync,
  readFileSync,
  readdirSync,
  readlinkSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
  mkdtempSync,
  realpathSync,
} from 'node:fs';
import { join } from 'node:path';
import { tmpdir } from 'node:os';
import { describe, expect, it } from 'vitest';
import { openFile } from '../file/file-content.ts';
import { readFolderEntries } from '../list/list-files.ts';
import { provideWorkspace } from '../provide-workspace.ts';
import { WorkspaceRoot } from '../workspace-root.ts';
import { writeFileAtomically } from '../write/write-atomically.ts';
import { describeOutcome } from '../../test/describe-outcome.ts';
import { temporaryFolder } from '../../test/temporary-folder.ts';
import { resolveGivenPath } from './resolve-path.ts';
import { POSIX } from './path-dialect.ts';
import { DescriptorPin, HAS_DESCRIPTORS, NamePin } from './pinned-path.ts';
import { RootFolder, containPath, locateBelow } from './root-folder.ts';

const WAYS: readonly ((workspace: WorkspaceRoot) => Promise<unknown>)[] = [
  (workspace) => workspace.readText('a.txt'),
  (workspace) => workspace.write('new.txt', 'x'),
  (workspace) => workspace.remove('a.txt'),
  (workspace) => workspace.list('.'),
  (workspace) => workspace.info('a.txt'),
  (workspace) => workspace.glob({ pattern: '*' }),
  (workspace) => workspace.grep({ pattern: 'x' }),
];

/** Tests whether a descriptor of this process leads to a folder itself. */
function isDescriptorOf(folder: string, descriptor: string): boolean {
  try {
    return readlinkSync(`/proc/self/fd/${descriptor}`) === realpathSync(folder);
  } catch {
    // That of the list itself.
    return false;
  }
}

describe('the folder of a workspace', () => {
  it.each([
    ['is removed', 'is gone', (root: string) => rmSync(root, { recursive: true })],
    ['is renamed', 'is gone', (root: string) => renameSync(root, `${root}-renamed`)],
    [
      'is replaced by another folder',
      'is another folder now',
      (root: string) => {
        renameSync(root, `${root}-renamed`);
        mkdirSync(root);
      },
    ],
    [
      'is replaced by a link',
      'is another folder now',
      (root: string) => {
        renameSync(root, `${root}-renamed`);
        symlinkSync('other', root);
      },
    ],
  ])('is reported when it %s while it is used', async (_what, became, change) => {
    const parent = temporaryFolder({ 'root/a.txt': 'a', 'other/a.txt': 'other' });
    const root = join(parent, 'root');
    const workspace = new WorkspaceRoot(root);
    expect((await workspace.readText('a.txt')).text).toBe('a');
    change(root);
    for (const way of WAYS) {
      expect(await describeOutcome(() => way(workspace))).toBe(
        `FileError: the workspace ${root} ${became}: it was removed, renamed or replaced. Start bae again.`,
      );
    }
    expect(await workspace.exists('a.txt')).toBe(false);
  });

  it('is released when the workspace is closed', async () => {
    const root = temporaryFolder({ 'a.txt': 'a' });
    const workspace = new WorkspaceRoot(root);
    workspace[Symbol.dispose]();
    workspace[Symbol.dispose]();
    for (const way of WAYS) {
      expect(await describeOutcome(() => way(workspace))).toBe(
        `FileError: the workspace ${root} was closed. Open it again.`,
      );
    }
  });

  it.runIf(HAS_DESCRIPTORS)(
    'stays open for what is being accessed when it is closed, and for nothing else',
    async () => {
      const root = temporaryFolder({ 'a.txt': 'inside', 'b/c.txt': 'match' });
      const count = () => readdirSync('/proc/self/fd').filter((fd) => isDescriptorOf(root, fd)).length;
      const workspace = new WorkspaceRoot(root);
      const provided = provideWorkspace(root);
      expect((await workspace.grep({ pattern: 'match' })).matches).toBe(1);
      const missing = workspace.lookUp('new.txt');
      const file = workspace.lookUp('a.txt');
      workspace[Symbol.dispose]();
      provided[Symbol.dispose]();
      expect(await describeOutcome(() => workspace.readText('a.txt'))).toContain('was closed');
      expect((await file.readWindow({ line: 1, column: 1, chars: 100 })).text).toBe('inside');
      expect(count()).toBe(1);
      missing[Symbol.dispose]();
      expect(count()).toBe(1);
      for (let time = 0; time < 2; time++) file[Symbol.dispose]();
      expect(count()).toBe(0);
    },
  );

  it('may be one that only its owner can list', async () => {
    const root = temporaryFolder({ 'a.txt': 'a' });
    const inner = join(root, 'inner');
    mkdirSync(inner, { mode: 0o700 });
    await new WorkspaceRoot(inner).write('b.txt', 'b');
    expect(await new WorkspaceRoot(inner).list('.')).toEqual(['b.txt']);
  });
});

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
      using place = resolveGivenPath(path, new RootFolder(root, { pin: hold }));
      expect(place.path).toBe('door/deep/b.txt');
      await using file = await openFile(place);
      expect(await file.readFile('utf8')).toBe('inside');
    }
  });

  it('is written with the folders above it', async () => {
    const { root } = scene();
    const folder = new RootFolder(root, { pin: hold });
    using place = resolveGivenPath('door/new/er/c.txt', folder);
    await writeFileAtomically(place, { content: bytes });
    using there = resolveGivenPath('door/new/er', folder);
    expect((await readFolderEntries(there, folder)).map(({ name }) => name)).toEqual(['c.txt']);
  });

  it('does not lead out when a folder on the way becomes a link before it is read', async () => {
    const { root, exchange } = scene();
    using place = resolveGivenPath('door/deep/b.txt', new RootFolder(root, { pin: hold }));
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
    const folder = new RootFolder(root, { pin: hold });
    using old = resolveGivenPath('door/a.txt', folder);
    using fresh = resolveGivenPath('door/new/c.txt', folder);
    exchange();
    for (const place of [old, fresh]) await describeOutcome(() => writeFileAtomically(place, { content: bytes }));
    const outside = new RootFolder(join(parent, 'outside'), { pin: hold });
    using all = resolveGivenPath('', outside);
    expect((await readFolderEntries(all, outside)).map(({ name }) => name).toSorted()).toEqual(['a.txt', 'deep']);
    using untouched = resolveGivenPath('a.txt', outside);
    await using file = await openFile(untouched);
    expect(await file.readFile('utf8')).toBe('outside');
  });

  it('does not lead out when a folder becomes a link before it is listed', async () => {
    const { parent, root, exchange } = scene();
    writeFileSync(join(parent, 'outside/only-outside.txt'), '');
    const folder = new RootFolder(root, { pin: hold });
    using place = resolveGivenPath('door', folder);
    exchange();
    expect(await describeOutcome(() => readFolderEntries(place, folder))).not.toContain('only-outside');
  });

  it('does not become another file of the same name', async () => {
    const { root } = scene();
    using place = resolveGivenPath('door/a.txt', new RootFolder(root, { pin: hold }));
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

const NAMES = { roots: ['/real/project', '/home/me/project'], home: '/home/me', dialect: POSIX };

const LEAVING = [
  '..', '../', './..', '../..', '../x', '../../x', '../../../../../../../../etc/passwd', './../x', 'a/..', 'a/../..',
  'a/../../x', 'a/b/../../../x', 'a/./../../x', 'a//..//..//x', '.../../..', '..//x', '../project-other/x',
  '../project/../x', 'a/../b', 'src/..', './.././x', '../.', '..\\x', '..\\..\\x', 'a\\..\\..\\x', 'a/..\\x', '.\\..',
  '/', '//', '/.', '/..', '/etc', '/etc/passwd', '//etc/passwd', '///etc///passwd', '/etc/../etc/passwd', '/real', '/real/',
  '/real/projectx', '/real/project-other/x', '/real/project/..', '/real/project/../x', '/real/project/a/../../x',
  '/real//project/../../etc', '/home/me', '/home/me/projects', '/home/me/.ssh/id_rsa', '/proc/self/environ', '/proc/1/root',
  '/dev/zero', '/dev/stdin', '/tmp/x', '/REAL/PROJECT/x', '/Real/project/x', '/./etc/passwd', '~', '~/', '~/x', '~/.ssh/id_rsa',
  '~/..', '~/../x', '~/project/../x', '~//.ssh', '~root', '~root/.ssh', '~me/project', '~+', '~-', '\0', 'a\0', '\0a',
  'a/\0/b', 'a.txt\0.png', '../\0', '/real/project/\0', '/real/project\0/../../etc/passwd',
]; // prettier-ignore

const STAYING: readonly (readonly [given: string, path: string])[] = [
  ['', ''], ['.', ''], ['./', ''], ['.//.', ''], ['a', 'a'], ['a/', 'a'], ['./a', 'a'], ['a/b', 'a/b'], ['a//b', 'a/b'],
  ['a/./b', 'a/b'], ['.a', '.a'], ['..a', '..a'], ['a..', 'a..'], ['...', '...'], ['a..b/c', 'a..b/c'], ['%2e%2e/x', '%2e%2e/x'],
  ['file:///etc/passwd', 'file:/etc/passwd'], ['C:\\x\\y', 'C:\\x\\y'], ['$HOME/x', '$HOME/x'], ['a~', 'a~'], ['./~root', '~root'],
  ['a/~', 'a/~'], ['․․/x', '․․/x'], ['dócs/日本語.md', 'dócs/日本語.md'], [' a ', ' a '], ['a b/c', 'a b/c'], ['-rf', '-rf'],
  ['/real/project', ''], ['/real/project/', ''], ['/real/project/a.ts', 'a.ts'], ['/real//project//a.ts', 'a.ts'],
  ['/home/me/project/a.ts', 'a.ts'], ['~/project/a.ts', 'a.ts'], ['~/project', ''],
]; // prettier-ignore

describe('containPath', () => {
  it.each(LEAVING)('refuses %j', async (given) => {
    expect(await describeOutcome(() => containPath(given, NAMES))).toMatch(
      /^PathError: .* is outside the workspace: .*\.\nTry: <[RG]:.+>$/,
    );
  });

  it.each(STAYING)('takes %j as %j', (given, path) => {
    expect(containPath(given, NAMES)).toBe(path);
  });

  it('takes every absolute path as inside when the root is the root of the disk', () => {
    expect(containPath('/etc/hosts', { roots: ['/'], home: '/root', dialect: POSIX })).toBe('etc/hosts');
  });

  it('gives the reason and what to do instead', async () => {
    expect(await describeOutcome(() => containPath('../lib/main.ts', NAMES))).toBe(
      "PathError: ../lib/main.ts is outside the workspace: '..' is not followed.\nTry: <G:**/main.ts>",
    );
    expect(await describeOutcome(() => containPath('/etc/passwd', NAMES))).toBe(
      'PathError: /etc/passwd is outside the workspace: paths are relative to its root folder.\nTry: <G:**/passwd>',
    );
    expect(await describeOutcome(() => containPath('~root', NAMES))).toBe(
      "PathError: ~root is outside the workspace: '~' is the home folder. A name that begins with it is written ./~root.\nTry: <R:.>",
    );
    expect(await describeOutcome(() => containPath('a\n\0', NAMES))).toBe(
      String.raw`PathError: a\x0a\x00 is outside the workspace: it contains a NUL character.` + '\nTry: <R:.>',
    );
  });

  it('refuses a path that is too long or too deep, before anything is looked up', async () => {
    expect(containPath('a'.repeat(4096), NAMES)).toHaveLength(4096);
    expect(await describeOutcome(() => containPath('é'.repeat(2049), NAMES))).toMatch(
      /^FileError: é+…: the path is 4098 bytes long; at most 4096\.\nTry: <R:\.>$/,
    );
    expect(containPath('a/'.repeat(255), NAMES)).toHaveLength(509);
    expect(await describeOutcome(() => containPath('./a/'.repeat(256), NAMES))).toMatch(
      /: the path has 256 parts; at most 255\.\nTry: <R:\.>$/,
    );
  });
});

it('finds the path of a file below a folder, without links', () => {
  const outside = realpathSync(mkdtempSync(join(tmpdir(), 'bae-below-')));
  const folder = join(outside, 'root');
  mkdirSync(join(folder, 'a'), { recursive: true });
  writeFileSync(join(folder, 'a/..b.txt'), '');
  writeFileSync(join(outside, 'secret.txt'), '');
  symlinkSync('a', join(folder, 'link'));
  symlinkSync('../secret.txt', join(folder, 'out.txt'));
  symlinkSync(folder, join(outside, 'other'));

  expect(locateBelow(folder, join(folder, 'a/..b.txt'))).toBe('a/..b.txt');
  expect(locateBelow(folder, join(folder, 'link/..b.txt'))).toBe('a/..b.txt');
  expect(locateBelow(folder, folder)).toBe('');
  // The folder may be named by a link, and the file by where it is, or the other way round.
  expect(locateBelow(join(outside, 'other'), join(folder, 'a'))).toBe('a');
  expect(locateBelow(join(outside, 'other'), join(outside, 'other/a'))).toBe('a');

  expect(locateBelow(folder, join(folder, 'out.txt'))).toBeUndefined();
  expect(locateBelow(folder, join(outside, 'secret.txt'))).toBeUndefined();
  expect(locateBelow(folder, join(folder, 'missing.txt'))).toBeUndefined();
  expect(locateBelow(folder, outside)).toBeUndefined();
});
