import { lstatSync, mkdirSync, readFileSync, realpathSync } from 'node:fs';
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
