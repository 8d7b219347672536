import { lstat, readFile, realpath } from 'node:fs/promises';
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

/** Finds the folder of git in a workspace. Where something in it is a link, all of it is fixed. */
export async function findGitPlaces(workspace: string): Promise<GitPlaces> {
  const git = join(workspace, '.git');
  const kind = await findKind(git);
  if (kind === 'folder') {
    const kinds = await Promise.all(
      RUNS.map(async (name) => ({ path: join(git, name), kind: await findKind(join(git, name)) })),
    );
    if (kinds.some((one) => one.kind === 'link')) return { elsewhere: [], pinned: [], fixed: [git] };
    return { elsewhere: [], pinned: [git], fixed: kinds.filter((one) => one.kind !== 'none').map(({ path }) => path) };
  }
  if (kind !== 'file') return { elsewhere: [], pinned: [], fixed: [] };
  const repository = await findRepository(workspace, git).catch(() => undefined);
  if (repository === undefined) return { elsewhere: [], pinned: [], fixed: [git] };
  const { own, common } = repository;
  const fixed = [...RUNS.map((name) => join(common, name)), join(own, 'config.worktree')];
  const kinds = await Promise.all(fixed.map(findKind));
  if (kinds.includes('link')) return { elsewhere: [], pinned: [], fixed: [git] };
  return { elsewhere: [common], pinned: [], fixed: [git, ...fixed.filter((_, index) => kinds[index] !== 'none')] };
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
    (await findKind(join(common, 'HEAD'))) === 'file' && (await findKind(join(common, 'objects'))) === 'folder';
  return isRepository && own.startsWith(`${common}/worktrees/`) ? { own, common } : undefined;
}

async function findKind(path: string): Promise<'file' | 'folder' | 'link' | 'none'> {
  try {
    const stats = await lstat(path);
    return stats.isSymbolicLink() ? 'link' : stats.isDirectory() ? 'folder' : 'file';
  } catch {
    return 'none';
  }
}
