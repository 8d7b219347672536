import { spawnSync } from 'node:child_process';
import { createHash, randomBytes } from 'node:crypto';
import {
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { onTestFinished, vi } from 'vitest';

/** A workspace in the middle of files that nobody is to read or change. */
export interface GuardedWorld {
  readonly workspace: string;
  /** Absolute paths of files outside. */
  readonly outside: readonly string[];
  /** Names of the links in the workspace. */
  readonly links: readonly string[];
  /** What of the outside is in a text: contents, or names that were never mentioned. */
  leaksIn(text: string): readonly string[];
  /** What changed outside since the world was made. */
  changes(): readonly string[];
}

/** Makes a world: a workspace with every kind of link, special files, and canaries all around it. */
export async function guardedWorld(): Promise<GuardedWorld> {
  // In memory where possible: thousands of writes that each wait for a disk take long.
  const base = existsSync('/dev/shm') ? '/dev/shm' : tmpdir();
  const outer = realpathSync(mkdtempSync(join(base, 'bae-guarded-')));
  onTestFinished(() => rmSync(outer, { recursive: true, force: true }));
  const canary = `canary${randomBytes(8).toString('hex')}`;
  const workspace = join(outer, 'workspace');
  const outside = [
    'private.txt',
    'sibling/private.txt',
    'sibling/deep/private.txt',
    'workspace-other/private.txt',
    'home/.bashrc',
    'home/private.txt',
    'home/.ssh/id_rsa',
  ];
  for (const path of outside) put(join(outer, path), `common line\n${canary}\nlast line\n`);
  // Nobody asks for this one by name, so that its name tells of a folder that was listed.
  put(join(outer, `sibling/${canary}.txt`), 'common line\n');
  put(join(outer, `${canary}.txt`), 'common line\n');
  vi.stubEnv('HOME', join(outer, 'home'));
  vi.stubEnv('BAE_CANARY', canary);
  onTestFinished(() => void vi.unstubAllEnvs());
  const links = await furnish(workspace, outer);
  const before = picture(outer, workspace);
  return {
    workspace,
    outside: [...outside.map((path) => join(outer, path)), outer, '/etc/passwd', '/etc/hostname'],
    links,
    leaksIn: (text) => [canary, 'root:x:0:0', 'PATH=/', '"@bae/tests"'].filter((sign) => text.includes(sign)),
    changes: () => differences(before, picture(outer, workspace)),
  };
}

function put(path: string, text: string): void {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, text);
}

/** Fills the workspace. Returns the names of its links. */
async function furnish(workspace: string, outer: string): Promise<readonly string[]> {
  for (const path of [
    'file.txt',
    'folder/file.txt',
    'folder/deep/file.txt',
    'café',
    '%2e%2e/private.txt',
    '..;/private.txt',
  ]) {
    put(join(workspace, path), 'common line\nsecond line\nthird line\n');
  }
  const links = linksOf(workspace, outer);
  for (const [name, target] of Object.entries(links)) symlinkSync(target, join(workspace, name));
  for (let step = 0; step < 50; step++)
    symlinkSync(step === 49 ? '../private.txt' : `chain${step + 1}`, join(workspace, `chain${step}`));
  spawnSync('mkfifo', [join(workspace, 'pipe')]);
  const server = createServer().listen(join(workspace, 'socket'));
  await new Promise((resolve) => server.once('listening', resolve));
  onTestFinished(() => void server.close());
  return [...Object.keys(links), 'chain0', 'chain20', 'chain49', 'pipe', 'socket'];
}

/** What the links of a workspace lead to, by name. */
function linksOf(workspace: string, outer: string): Readonly<Record<string, string>> {
  return {
    'to-file': 'file.txt', 'to-folder': 'folder', 'to-here': '.', 'to-self': 'to-self', 'to-a': 'to-b', 'to-b': 'to-a',
    'to-secret': '../private.txt', 'to-outside': '../sibling', 'to-absolute': join(outer, 'sibling/private.txt'),
    'to-absolute-folder': join(outer, 'sibling'), 'to-up': '..', 'to-upper': '../..', 'folder/to-up': '..', 'folder/to-upper': '../..',
    'to-other': '../workspace-other', 'to-inside': join(workspace, 'file.txt'), 'to-around': '../workspace/file.txt', 'to-root': '/',
    'to-proc': '/proc/self/root', 'to-cwd': '/proc/self/cwd', 'to-descriptors': '/proc/self/fd', 'to-zero': '/dev/zero',
    'to-nothing': 'nothing.txt', 'to-new': '../created.txt', 'to-new-deep': '../created/deep.txt', 'to-passwd': '/etc/passwd',
    'to-link': 'to-secret', 'to-link-folder': 'to-folder/to-upper', 'to-home': join(outer, 'home'), 'to-tilde': '~',
    'to-odd': 'folder/../../private.txt', 'to-trick': 'folder/to-up/../private.txt',
  }; // prettier-ignore
}

/** Everything outside of the workspace that could have been changed, by path. */
function picture(outer: string, workspace: string): ReadonlyMap<string, string> {
  const found = new Map<string, string>();
  const look = (folder: string): void => {
    for (const name of readdirSync(folder)) {
      const path = join(folder, name);
      if (path === workspace) continue;
      const { mode, ino, mtimeMs } = lstatSync(path);
      found.set(path, `${mode} ${ino} ${mtimeMs} ${contentOf(path, mode)}`);
      if ((mode & 0o170000) === 0o040000) look(path);
    }
  };
  look(outer);
  for (const folder of ['/', '/etc', '/dev', process.cwd()]) found.set(folder, readdirSync(folder).join(' '));
  found.set('/etc/passwd', readFileSync('/etc/passwd', 'utf8'));
  return found;
}

function contentOf(path: string, mode: number): string {
  if ((mode & 0o170000) === 0o120000) return readlinkSync(path);
  return (mode & 0o170000) === 0o100000 ? createHash('sha256').update(readFileSync(path)).digest('hex') : '';
}

function differences(before: ReadonlyMap<string, string>, after: ReadonlyMap<string, string>): readonly string[] {
  const paths = new Set([...before.keys(), ...after.keys()]);
  return [...paths].filter((path) => before.get(path) !== after.get(path));
}
