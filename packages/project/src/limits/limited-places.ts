import { lstat, readdir, readFile, realpath } from 'node:fs/promises';
import { homedir, tmpdir } from 'node:os';
import { delimiter, dirname, join, resolve } from 'node:path';
import { lstatSync, mkdirSync, readFileSync, realpathSync } from 'node:fs';
import { holdsCredentials, type WorkspaceRoot } from '@bae/workspace';
import { isAtOrBelow, isBelowAny } from './mount-table.ts';

/** What programs may do with the places of this machine. All paths are absolute and without links. */
export interface LimitedPlaces {
  readonly workspace: string;
  /** May be written. */
  readonly writable: readonly string[];
  /** Replaced by folders of the session that are empty at first. */
  readonly replaced: readonly string[];
  /** Shown in a replaced folder, and only read there. */
  readonly kept: readonly string[];
  /** Home folder of the user, in which what programs write belongs to the session; undefined if it has no layer of its own. */
  readonly home: string | undefined;
  /** Folder for caches of the user, which is empty except for the known ones; undefined if there is none. */
  readonly cache: string | undefined;
  /** The known caches in it. */
  readonly caches: readonly string[];
  /** May be neither read nor used: credentials, data of bae, sockets of services. */
  readonly hidden: readonly string[];
}

/**
 * Caches of package managers and toolchains in the `.cache` of the home folder. Others may hold credentials, or what the
 * user looks at.
 */
const CACHES = [
  'pip',
  'uv',
  'pypoetry',
  'pnpm',
  'yarn',
  'node',
  'node-gyp',
  'deno',
  'go-build',
  'ccache',
  'sccache',
  'composer',
  'bazel',
  'turbo',
  'typescript',
  'Cypress',
  'ms-playwright',
  'puppeteer',
  'pre-commit',
];

/** Folders in the home folder in which credentials are looked for by their names. */
const FOLDERS_OF_CREDENTIALS = [
  '',
  '.config',
  '.docker',
  '.cargo',
  '.gem',
  '.m2',
  '.gradle',
  '.config/gh',
  '.config/glab-cli',
  '.config/pip',
  '.config/containers',
  '.config/rclone',
  '.config/github-copilot',
  '.config/configstore',
  '.config/git',
  '.claude',
  '.codex',
  '.gemini',
  '.composer',
  '.nuget/NuGet',
  '.local/share',
  '.huggingface',
];
/** Folders whose content is credentials as a whole. */
const CREDENTIALS = ['.config/gcloud', '.config/op', '.config/git/credentials', '.local/share/keyrings', '.mozilla'];

/** Decides what programs may do on this machine for a workspace. */
export async function findLimitedPlaces(
  root: WorkspaceRoot,
  { writable: wanted = [] }: { readonly writable?: readonly string[] },
): Promise<LimitedPlaces> {
  const home = await findReal(homedir());
  const workspace = root.folder;
  const { elsewhere } = findGitPlaces(workspace);
  const named = await findAllReal(wanted.map((path) => resolve(workspace, path.replace(/^~(?=\/|$)/, homedir()))));
  const own = named.filter((path) => path !== '/');
  const cacheFolder = home && (await findReal(join(home, '.cache')));
  const writable = [...new Set([workspace, ...elsewhere, ...own])];
  const isOpen = (folder: string) => writable.some((path) => isAtOrBelow(folder, path));
  const replaced = (await findAllReal(['/tmp', '/var/tmp', '/dev/shm', tmpdir(), '/run'])).filter(
    (path) => !isOpen(path),
  );
  const outermost = replaced.filter((path) => !replaced.some((one) => one !== path && isAtOrBelow(path, one)));
  const kept = await listKept(outermost, home);
  const isReplaced = (path: string) => isBelowAny(path, outermost) && !isBelowAny(path, kept);
  const hasCache = cacheFolder !== undefined && !isOpen(cacheFolder) && !isReplaced(cacheFolder);
  const cache = hasCache ? cacheFolder : undefined;
  const hasLayer = home !== undefined && home !== '/' && !isOpen(home) && !isReplaced(home);
  const layered = hasLayer ? home : undefined;
  const caches = layered !== undefined && cache === join(layered, '.cache') ? await findCaches(cache) : [];
  const isGone = (path: string) =>
    isReplaced(path) ||
    (isBelowAny(path, ['/dev']) && !isBelowAny(path, [...writable, ...kept])) ||
    (cache !== undefined && isAtOrBelow(path, cache) && !isBelowAny(path, [...writable, ...caches]));
  const secret = (await listHidden(root, home)).filter((path) => !isGone(path) && !isBelowAny(path, own));
  // In a hidden folder there is nothing left to hide.
  const hidden = secret.filter((path) => !secret.some((one) => one !== path && isAtOrBelow(path, one)));
  return { workspace, writable, replaced: outermost, kept, home: layered, cache, caches, hidden };
}

async function findCaches(folder: string): Promise<readonly string[]> {
  const paths = CACHES.map((name) => join(folder, name));
  const real = await Promise.all(paths.map(findReal));
  // A cache that is a link would lead a program to any place.
  return paths.filter((path, index) => real[index] === path);
}

/** Lists what programs need from the folders that are replaced: bae, Node, programs of the PATH, names of servers. */
async function listKept(replaced: readonly string[], home: string | undefined): Promise<readonly string[]> {
  const folders = (process.env['PATH'] ?? '').split(delimiter).filter((path) => path.startsWith('/'));
  const needed = [dirname(process.execPath), import.meta.dirname, ...folders];
  const real = [...needed, ...(await findAllReal(needed))];
  const tops = real.flatMap((path) =>
    replaced
      .filter((folder) => path !== folder && isAtOrBelow(path, folder))
      .map((folder) => join(folder, path.slice(folder.length + 1).split('/')[0]!)),
  );
  const servers = await findAllReal(['/etc/resolv.conf']);
  const alone = [...servers, ...(home === undefined ? [] : [home])];
  return findAllReal([...tops, ...alone.filter((path) => replaced.some((folder) => isAtOrBelow(path, folder)))]);
}

/** Lists what holds credentials or belongs to bae, and sockets, outside of the workspace. */
async function listHidden(root: WorkspaceRoot, home: string | undefined): Promise<readonly string[]> {
  const names =
    home === undefined
      ? []
      : await Promise.all(
          FOLDERS_OF_CREDENTIALS.map(async (folder) => {
            const entries = await readdir(join(home, folder)).catch(() => []);
            return entries.map((name) => join(folder, name)).filter(holdsCredentials);
          }),
        );
  const credentials = [...names.flat(), ...CREDENTIALS].map((path) => join(home ?? '/', path));
  const found = await findAllReal([...credentials, ...root.ownData, ...(await listSockets())]);
  return found.filter((path) => {
    // A link among the names could lead to a folder of everything.
    const isAbove = isAtOrBelow(root.folder, path) || path === home || path === '/';
    return !isAbove && !isAtOrBelow(path, root.folder);
  });
}

/** Lists the sockets of services, which ignore that a file system is read-only. */
async function listSockets(): Promise<readonly string[]> {
  const text = await readFile('/proc/net/unix', 'utf8').catch(() => '');
  const paths = text.split('\n').flatMap((line) => /(\/.*)$/.exec(line)?.[1] ?? []);
  const kinds = await Promise.all([...new Set(paths)].map(async (path) => ((await isSocket(path)) ? [path] : [])));
  return kinds.flat();
}

async function isSocket(path: string): Promise<boolean> {
  return (await lstat(path).catch(() => undefined))?.isSocket() ?? false;
}

async function findReal(path: string): Promise<string | undefined> {
  return realpath(path).catch(() => undefined);
}

async function findAllReal(paths: readonly string[]): Promise<readonly string[]> {
  const real = await Promise.all(paths.map(findReal));
  return [...new Set(real.filter((path) => path !== undefined))];
}

/** The folders of git that belong to a workspace, by what a program may do there. */
export interface GitPlaces {
  /** Folder of a repository elsewhere, of which the workspace is a working tree. */
  readonly elsewhere: readonly string[];
  /** Folders that may be written, but not renamed. */
  readonly pinned: readonly string[];
  /** What git runs, or follows to it. */
  readonly fixed: readonly string[];
}

/** What makes git run a program, in the folder of a repository. */
const RUNS = ['config', 'hooks', 'config.worktree', 'modules'];

/**
 * Finds the folder of git in a workspace. Where something in it is a link, or it has no settings, all of it is fixed.
 * A folder for hooks is created if there is none, because what is not there cannot be fixed.
 */
export function findGitPlaces(workspace: string): GitPlaces {
  const git = join(workspace, '.git');
  const kind = findEntryKind(git);
  if (kind === 'folder') {
    const fixed = listFixed([git]);
    return { elsewhere: [], pinned: fixed === undefined ? [] : [git], fixed: fixed ?? [git] };
  }
  if (kind !== 'file') return { elsewhere: [], pinned: [], fixed: [] };
  const repository = findRepository(workspace, git);
  const fixed = repository && listFixed([repository.common, repository.own]);
  if (repository === undefined || fixed === undefined) return { elsewhere: [], pinned: [], fixed: [git] };
  return { elsewhere: [repository.common], pinned: [], fixed: [git, ...fixed] };
}

/** Lists what git runs in its folders, of which the first has the settings; undefined if it cannot all be fixed. */
function listFixed([common = '', ...others]: readonly string[]): readonly string[] | undefined {
  if (findEntryKind(join(common, 'config')) !== 'file') return undefined;
  if (findEntryKind(join(common, 'hooks')) === 'none') createIfPossible(join(common, 'hooks'));
  const paths = [...RUNS.map((name) => join(common, name)), ...others.map((folder) => join(folder, 'config.worktree'))];
  const kinds = paths.map(findEntryKind);
  return kinds.includes('link') ? undefined : paths.filter((_, index) => kinds[index] !== 'none');
}

/**
 * Finds the repository of a working tree that is elsewhere, if that repository names the working tree too: a program
 * could write any path into the file of the working tree.
 */
function findRepository(workspace: string, file: string) {
  try {
    const [, given] = /^gitdir: (.+)$/m.exec(readFileSync(file, 'utf8')) ?? [];
    if (given === undefined) return undefined;
    const own = realpathSync(resolve(workspace, given.trim()));
    const back = readFileSync(join(own, 'gitdir'), 'utf8').trim();
    if (realpathSync(resolve(own, back)) !== realpathSync(file)) return undefined;
    const common = realpathSync(resolve(own, readFileSync(join(own, 'commondir'), 'utf8').trim()));
    const isRepository =
      findEntryKind(join(common, 'HEAD')) === 'file' && findEntryKind(join(common, 'objects')) === 'folder';
    return isRepository && own.startsWith(`${common}/worktrees/`) ? { own, common } : undefined;
  } catch {
    return undefined;
  }
}

function createIfPossible(path: string): void {
  try {
    mkdirSync(path);
  } catch {
    // Whoever cannot create it here, can neither do so in a command.
  }
}

function findEntryKind(path: string): 'file' | 'folder' | 'link' | 'none' {
  const stats = lstatSync(path, { throwIfNoEntry: false });
  if (stats === undefined) return 'none';
  return stats.isSymbolicLink() ? 'link' : stats.isDirectory() ? 'folder' : 'file';
}
