import { type Change, ConflictError, ParameterError, ResourceError } from '@bae/core';
import { formatPath, formatQuantity, type WorkspaceRoot } from '@bae/workspace';
import { makeCommandTarget } from '../command-words.ts';
import type { Git } from './run-git.ts';
import { listSecrets, toPathspecs } from './show-changes.ts';

export interface CommitRequest {
  readonly root: WorkspaceRoot;
  readonly git: Git;
  readonly message: string;
  /** Files to commit; empty for the staged ones or, if there are none, those that the session has changed. */
  readonly files: readonly string[];
  /** Lists the files that the session has changed. */
  readonly listOwnFiles: () => Promise<readonly string[]>;
}

/** Returns the target of a commit for rules. */
export function makeCommitTarget({ message, files }: Pick<CommitRequest, 'message' | 'files'>): string {
  const paths = files.length === 0 ? [] : ['--', ...files];
  return makeCommandTarget(['git', 'commit', '-m', message, ...paths]);
}

/**
 * Plans a commit without changing anything.
 *
 * @throws ParameterError without a message; ResourceError if there is nothing to commit, or a file must not be
 * committed
 */
export async function planCommit(wanted: CommitRequest, signal: AbortSignal): Promise<Change> {
  if (wanted.message.trim() === '') throw new ParameterError('a commit needs a message.', ['<commit:Fix the login>']);
  const request = await addOwnFiles(wanted, signal);
  const planned = await readContent(request, signal);
  await requireAuthor(request.git, signal);
  const explainFiles = (verb: 'is' | 'was'): string =>
    request === wanted ? '' : `\n(nothing ${verb} staged: these are the files that this session has changed)`;
  return {
    touches: [{ outside: makeCommitTarget(request) }],
    preview: () => `${request.message}\n(hooks do not run, and it is not signed)${explainFiles('is')}\n${planned.diff}`,
    apply: async (context) => {
      const now = await readContent(request, context.signal);
      if (now.diff !== planned.diff) throw new ConflictError('what is to be committed has changed in the meantime.');
      return (await commit(request, planned, context.signal)) + explainFiles('was');
    },
  };
}

/** Names the files that the session has changed, if nothing is staged and no others are named. */
async function addOwnFiles(request: CommitRequest, signal: AbortSignal): Promise<CommitRequest> {
  const run = (...args: readonly string[]) => request.git.run({ args, signal });
  if (request.files.length > 0 || (await readStaged(run)).names.length > 0) return request;
  const own = { ...request, files: await request.listOwnFiles() };
  if (own.files.length === 0) return request;
  const { names } = await readNamed(own, run, signal);
  return names.length === 0 ? request : { ...request, files: names };
}

interface CommitContent {
  readonly names: readonly string[];
  /** Files among them that git does not know yet. */
  readonly fresh: readonly string[];
  readonly diff: string;
}

async function readContent(request: CommitRequest, signal: AbortSignal): Promise<CommitContent> {
  const { files, git } = request;
  const run = (...args: readonly string[]) => git.run({ args, signal });
  const content = files.length === 0 ? await readStaged(run) : await readNamed(request, run, signal);
  if (content.names.length === 0) {
    const fact = files.length === 0 ? 'nothing is staged' : `nothing is changed in ${files.map(formatPath).join(', ')}`;
    throw new ResourceError(`${fact}, so there is nothing to commit.`, [
      await suggestCommit(request, run),
      '<status:>',
    ]);
  }
  await refuseUnfit(request, content.names, signal);
  return content;
}

/** A commit of all that is changed, with the message that was sent, if both can be written in a tag. */
async function suggestCommit({ message, files }: CommitRequest, run: RunGit): Promise<string> {
  const changed =
    files.length > 0 ? [] : splitNames(await run('ls-files', '-mdo', '--exclude-standard', '-z', '--', '.'));
  const names = [...new Set(changed)];
  const isPlain = names.length > 0 && names.length <= MOST_NAMES && names.every((name) => /^[\w./@-]+$/.test(name));
  const title = /^[^\n<>="']+$/.test(message) ? message : 'Message';
  return `<commit:${title} files=${isPlain ? names.join(',') : 'a.ts,b.ts'}>`;
}

/** Fails before anybody is asked if git does not know whose commit it would be. */
async function requireAuthor(git: Git, signal: AbortSignal): Promise<void> {
  try {
    await git.run({ args: ['var', 'GIT_COMMITTER_IDENT'], signal });
  } catch (error) {
    const fact = 'git knows no name and email for a commit here.';
    const how = 'Ask the user to set them: git config --global user.name "…", and user.email.';
    throw new ResourceError(`${fact} ${how}`, ['<diff:>'], error);
  }
}

/** Maximum number of changed files that are named in a suggestion. */
const MOST_NAMES = 12;

type RunGit = (...args: readonly string[]) => Promise<string>;

const DIFF = ['--no-ext-diff', '--no-textconv', '--no-renames', '--ignore-submodules=dirty'] as const;

async function readStaged(run: RunGit): Promise<CommitContent> {
  const listed = ['diff', '--cached', ...DIFF] as const;
  const all = splitNames(await run(...listed, '--name-only', '-z'));
  const names = splitNames(await run(...listed, '--name-only', '-z', '--relative', '--', '.'));
  if (all.length > names.length)
    throw new ResourceError('files outside of this folder are staged too. Name those to commit.', [
      '<commit:Message files=a.ts,b.ts>',
    ]);
  return { names, fresh: [], diff: await run(...listed, '--relative', '--', '.') };
}

async function readNamed(
  { root, files, git }: CommitRequest,
  run: RunGit,
  signal: AbortSignal,
): Promise<CommitContent> {
  // Refuse paths that lead out of the workspace.
  for (const file of files) await root.info(file);
  const paths = toPathspecs(files);
  const hasCommits = await run('rev-parse', '--verify', '--quiet', 'HEAD').then(
    () => true,
    () => false,
  );
  // Without any commit, compare with an empty tree.
  const base = hasCommits ? ['HEAD'] : ['--cached'];
  const listed = ['diff', ...base, ...DIFF, '--relative'] as const;
  const changed = splitNames(await run(...listed, '--name-only', '-z', '--', ...paths));
  const fresh = splitNames(await run('ls-files', '--others', '--exclude-standard', '-z', '--', ...paths));
  const diffs = [await run(...listed, '--', ...paths)];
  for (const name of fresh) {
    const args = ['diff', '--no-index', ...DIFF, '--', '/dev/null', name];
    diffs.push(await git.run({ args, signal, alsoFine: [1] }));
  }
  return { names: [...changed, ...fresh], fresh, diff: diffs.join('') };
}

function splitNames(output: string): readonly string[] {
  return output.split('\0').filter((name) => name !== '');
}

/** Refuses secrets, and files that only a filter of the repository could store. */
async function refuseUnfit({ root, git }: CommitRequest, names: readonly string[], signal: AbortSignal): Promise<void> {
  const [secret] = await listSecrets(root, names);
  if (secret !== undefined)
    throw new ResourceError(`${formatPath(secret)} may hold secrets, so it is not committed here. Name other files.`, [
      '<commit:Message files=a.ts,b.ts>',
    ]);
  const filters = await git.listOwnFilters(signal);
  if (filters.length === 0) return;
  const output = await git.run({ args: ['check-attr', '-z', 'filter', '--', ...names], signal });
  const parts = output.split('\0');
  const filtered = names.find((_, index) => filters.includes(parts[index * 3 + 2] ?? ''));
  if (filtered === undefined) return;
  const fact = `${formatPath(filtered)} is stored by a filter of this repository, a program that is not run here.`;
  throw new ResourceError(`${fact} Ask the user to commit it.`, ['<status:>']);
}

async function commit(
  { git, message, files }: CommitRequest,
  { names, fresh }: CommitContent,
  signal: AbortSignal,
): Promise<string> {
  const run = (...args: readonly string[]) => git.run({ args, signal });
  // What is staged stays as it is, whether the commit is made or not.
  if (fresh.length > 0) await run('add', '--intent-to-add', '--', ...listLiterally(fresh));
  const only = files.length > 0 ? ['--only', '--', ...listLiterally(names)] : [];
  try {
    await run('commit', '--quiet', '--no-verify', '--no-gpg-sign', `--message=${message}`, ...only);
  } catch (error) {
    // Also when the call was cancelled.
    const undo = {
      args: ['rm', '--cached', '--quiet', '--', ...listLiterally(fresh)],
      signal: new AbortController().signal,
    };
    if (fresh.length > 0) await git.run(undo).catch(() => undefined);
    throw error;
  }
  const made = (await run('log', '-1', '--format=%h %s')).trim();
  return `Committed ${made}: ${formatQuantity(names.length, 'file')}. Hooks were not run.`;
}

function listLiterally(paths: readonly string[]): readonly string[] {
  return paths.map((path) => `:(literal)${path}`);
}
