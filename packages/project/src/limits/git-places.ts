import { lstat, mkdir, readFile, realpath } from 'node:fs/promises';
import { join, resolve } from 'node:path';

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
export async function findGitPlaces(workspace: string): Promise<GitPlaces> {
  const git = join(workspace, '.git');
  const kind = await findEntryKind(git);
  if (kind === 'folder') {
    const fixed = await listFixed([git]);
    return { elsewhere: [], pinned: fixed === undefined ? [] : [git], fixed: fixed ?? [git] };
  }
  if (kind !== 'file') return { elsewhere: [], pinned: [], fixed: [] };
  const repository = await findRepository(workspace, git).catch(() => undefined);
  const fixed = repository && (await listFixed([repository.common, repository.own]));
  if (repository === undefined || fixed === undefined) return { elsewhere: [], pinned: [], fixed: [git] };
  return { elsewhere: [repository.common], pinned: [], fixed: [git, ...fixed] };
}

/** Lists what git runs in its folders, of which the first has the settings; undefined if it cannot all be fixed. */
async function listFixed([common = '', ...others]: readonly string[]): Promise<readonly string[] | undefined> {
  if ((await findEntryKind(join(common, 'config'))) !== 'file') return undefined;
  if ((await findEntryKind(join(common, 'hooks'))) === 'none')
    await mkdir(join(common, 'hooks')).catch(() => undefined);
  const paths = [...RUNS.map((name) => join(common, name)), ...others.map((folder) => join(folder, 'config.worktree'))];
  const kinds = await Promise.all(paths.map(findEntryKind));
  return kinds.includes('link') ? undefined : paths.filter((_, index) => kinds[index] !== 'none');
}

/**
 * Finds the repository of a working tree that is elsewhere, if that repository names the working tree too: a program
 * could write any path into the file of the working tree.
 */
async function findRepository(workspace: string, file: string) {
  const [, given] = /^gitdir: (.+)$/m.exec(await readFile(file, 'utf8')) ?? [];
  if (given === undefined) return undefined;
  const own = await realpath(resolve(workspace, given.trim()));
  const back = (await readFile(join(own, 'gitdir'), 'utf8')).trim();
  if ((await realpath(resolve(own, back))) !== (await realpath(file))) return undefined;
  const common = await realpath(resolve(own, (await readFile(join(own, 'commondir'), 'utf8')).trim()));
  const isRepository =
    (await findEntryKind(join(common, 'HEAD'))) === 'file' &&
    (await findEntryKind(join(common, 'objects'))) === 'folder';
  return isRepository && own.startsWith(`${common}/worktrees/`) ? { own, common } : undefined;
}

async function findEntryKind(path: string): Promise<'file' | 'folder' | 'link' | 'none'> {
  try {
    const stats = await lstat(path);
    return stats.isSymbolicLink() ? 'link' : stats.isDirectory() ? 'folder' : 'file';
  } catch {
    return 'none';
  }
}
