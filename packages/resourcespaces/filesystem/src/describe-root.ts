import { showPath, type WorkspaceRoot } from '@bae/workspace';

const LARGEST_HEAD = 4096;

/** What is the case in a workspace right now: `Folder bae: 14 entries. Git branch: main.` */
export async function describeRoot(root: WorkspaceRoot): Promise<string> {
  const entries = (await root.list('.')).length;
  const folder = `Folder ${showPath(root.name)}: ${entries} ${entries === 1 ? 'entry' : 'entries'}.`;
  const branch = await gitBranch(root);
  return branch === undefined ? folder : `${folder} Git branch: ${showPath(branch)}.`;
}

/** The branch that is checked out; undefined without a plain `.git` folder, or on no branch. */
async function gitBranch(root: WorkspaceRoot): Promise<string | undefined> {
  try {
    const { kind, size } = await root.info('.git/HEAD');
    if (kind !== 'file' || size > LARGEST_HEAD) return undefined;
    return /^ref: refs\/heads\/(.+)$/m.exec((await root.readText('.git/HEAD', { secrets: true })).text)?.[1];
  } catch {
    return undefined;
  }
}
