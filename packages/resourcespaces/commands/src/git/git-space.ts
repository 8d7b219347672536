import {
  type Change,
  inject,
  ResourceError,
  resourcespace,
  type Resourcespace,
  tool,
  type ToolContext,
  type ToolOutput,
} from '@bae/core';
import { formatPath, formatQuantity, nameFile, splitLines, WORKSPACE_ROOT, type WorkspaceRoot } from '@bae/workspace';
import { z } from 'zod';
import { listWrittenFiles } from '../changed-files.ts';
import { describeBlame } from './describe-blame.ts';
import { makeCommitTarget, planCommit } from './plan-commit.ts';
import {
  type GitTarget,
  isPathOrRevision,
  quotePath,
  readBlameTarget,
  readRevisions,
  readTarget,
  readFileVersion,
} from './read-target.ts';
import { Git } from './run-git.ts';
import { type ChangesRequest, showChanges, toPathspecs } from './show-changes.ts';

const path = () =>
  z
    .string()
    .default('')
    .meta({ description: 'File or folder; default all', examples: [''] });

const stat = () => z.boolean().default(false).describe('Only which files, with numbers of lines');

/** Maximum number of new files that are named above a diff, which does not show them. */
const MOST_NEW = 5;
/** Maximum number of commits that are listed. */
const MOST_COMMITS = 1000;

const PARAMS = {
  status: () => z.object({ path: path() }),
  diff: () =>
    z.object({
      target: z
        .string()
        .default('')
        .meta({
          description: 'Revision, range (main..HEAD) or path; default what is not committed yet',
          examples: [''],
        }),
      path: path(),
      staged: z.boolean().default(false).describe('Only what is staged'),
      stat: stat(),
    }),
  log: () =>
    z.object({
      target: z
        .string()
        .default('')
        .meta({ description: 'Revision, range, path or number of commits; default HEAD', examples: [''] }),
      path: path(),
      search: z.string().default('').describe('Text in their messages; <home.Grep:…> searches what files contain'),
      limit: z.int().min(1).max(MOST_COMMITS).default(20).describe('Commits at most'),
    }),
  show: () =>
    z.object({
      target: z
        .string()
        .default('HEAD')
        .meta({ description: 'Revision, path, or a file as it was: HEAD~3:src/a.ts', examples: ['HEAD'] }),
      path: path(),
      stat: stat(),
    }),
  blame: () =>
    z.object({
      target: z.string().meta({ description: 'File, perhaps with lines: src/a.ts:10-20', examples: ['README.md'] }),
      revision: z.string().default('').describe('As of which revision; default now'),
    }),
  branches: () =>
    z.object({
      target: z
        .string()
        .default('')
        .meta({ description: 'Part of a name; default all', examples: [''] }),
    }),
  commit: () =>
    z.object({
      target: z.string().meta({ description: 'First line of the message', examples: ['Fix the login'] }),
      files: z
        .array(z.string())
        .default([])
        .describe('Files and folders; default what is staged, or else what this session has changed'),
      body: z.string().optional().describe('The rest of the message'),
    }),
} as const;

type ArgsOf<T extends keyof typeof PARAMS> = z.output<ReturnType<(typeof PARAMS)[T]>>;

/** The history of a project. Reading runs no code from the repository. */
@resourcespace({ name: 'git', description: 'What changed, when, by whom: git.diff, git.log, git.show; git.commit.' })
export class GitSpace implements Resourcespace {
  readonly #root: WorkspaceRoot;
  readonly #git: Git;
  readonly #repository: { readonly root: WorkspaceRoot; readonly git: Git };

  constructor(@inject(WORKSPACE_ROOT) root: WorkspaceRoot) {
    this.#root = root;
    this.#git = new Git(root);
    this.#repository = { root, git: this.#git };
  }

  async enter(): Promise<string> {
    try {
      const [branch = '', ...changes] = (await this.#readStatus('', new AbortController().signal)).split('\n');
      const name = branch.replace('## ', 'Branch ').replace(/No commits yet on (.*)/, '$1, without commits');
      if (changes.length === 0) return `${name}; nothing changed.`;
      const files = changes.length > MOST_NEW ? '' : `: ${changes.map((row) => row.slice(3)).join(', ')}`;
      return `${name}; ${formatQuantity(changes.length, 'changed file')}${files}.`;
    } catch (error) {
      return error instanceof ResourceError ? error.message : String(error);
    }
  }

  @tool({
    name: 'status',
    description: 'The branch, and the files that are not committed.',
    params: PARAMS.status,
    effect: 'read',
  })
  async listChanges({ path: place }: ArgsOf<'status'>, context: ToolContext): Promise<ToolOutput> {
    const { signal } = context;
    nameFile(this.#root, place, context);
    const text = await this.#readStatus(place, signal);
    const [branch = '', ...changes] = text.split('\n');
    const nothing = place === '' ? 'nothing to commit' : `nothing to commit in ${formatPath(place)}`;
    return { text: changes.length === 0 ? `${branch}\n${nothing}` : text, format: 'plain', rows: changes.length };
  }

  @tool({
    description: 'What is changed and not committed, or between revisions.',
    params: PARAMS.diff,
    effect: 'read',
  })
  async diff(given: ArgsOf<'diff'>, context: ToolContext): Promise<ToolOutput> {
    const { signal } = context;
    const isStat = given.target.trim() === 'stat' && !(await isPathOrRevision(this.#repository, 'stat', signal));
    const args = readDiffWords(isStat ? { ...given, target: '--stat' } : given);
    const { staged, stat } = args;
    const about = await readTarget(this.#repository, args, signal);
    const { revisions: named, place } = about;
    nameFile(this.#root, place, context);
    const isFirst = named.length === 0 && !(await this.#hasCommits(signal));
    const cached = staged || isFirst ? ['--cached'] : [];
    const revisions = named.length === 0 && !staged && !isFirst ? ['HEAD'] : named;
    const shown = await this.#show({ command: ['diff', ...cached], revisions, place, stat }, context);
    if (shown.text === '') return { ...shown, text: `(no differences; new files are in ${context.tag('<status:>')})` };
    if (named.length > 0 || staged || context.fromCode) return addOtherMeaning(shown, about, context);
    const added = (await this.#readStatus(place, signal)).split('\n').filter((row) => row.startsWith('?? '));
    if (added.length === 0) return shown;
    const names = added.slice(0, MOST_NEW).map((row) => row.slice(3));
    const rest = added.length - MOST_NEW;
    const more = rest > 0 ? ` and ${rest} more: ${context.tag('<status:>')}` : '';
    return { ...shown, text: `not in git yet: ${names.join(', ')}${more}\n${shown.text}` };
  }

  @tool({ description: 'Commits, newest first; search= is for messages.', params: PARAMS.log, effect: 'read' })
  async log(args: ArgsOf<'log'>, context: ToolContext): Promise<ToolOutput> {
    const { search } = args;
    const { signal } = context;
    const { target, count = args.limit } = readLogWords(args.target);
    const limit = Math.max(1, Math.min(count, MOST_COMMITS));
    const about = await readTarget(this.#repository, { ...args, target }, signal);
    const { revisions, place } = about;
    nameFile(this.#root, place, context);
    await this.#check(place, signal);
    const found = search === '' ? [] : ['--fixed-strings', '--regexp-ignore-case', `--grep=${search}`];
    const format = ['--format=%h %ad %an: %s', '--date=short', `--max-count=${limit}`];
    const which = ['--end-of-options', ...revisions, '--', ...toPathspecs(place === '' ? [] : [place])];
    const text = (await this.#git.run({ args: ['log', ...format, ...found, ...which], signal })).trimEnd();
    const rows = text === '' ? 0 : text.split('\n').length;
    const inFiles = /^[\w .-]+$/.test(search) ? `; files: ${context.tag(`<home.Grep:${search}>`)}` : '';
    const none = search === '' ? '(no commits)' : `(no commits with '${search}' in their messages${inFiles})`;
    return addOtherMeaning({ text: text || none, format: 'plain', rows }, about, context);
  }

  @tool({ description: 'Branches and tags, newest first.', params: PARAMS.branches, effect: 'read' })
  async branches({ target }: ArgsOf<'branches'>, { signal }: ToolContext): Promise<ToolOutput> {
    await this.#check('', signal);
    const format =
      '%(if)%(symref)%(then)%(else)%(HEAD) %(refname:short) %(objectname:short) %(creatordate:short) %(subject)%(end)';
    const args = [
      'for-each-ref',
      '--sort=-creatordate',
      `--format=${format}`,
      'refs/heads',
      'refs/remotes',
      'refs/tags',
    ];
    const rows = (await this.#git.run({ args, signal }))
      .split('\n')
      .filter((row) => row !== '' && row.slice(2).split(' ', 1)[0]!.includes(target));
    return { text: rows.join('\n') || '(no branches)', format: 'plain', rows: rows.length };
  }

  @tool({ description: 'A commit with its changes, or a file as it was.', params: PARAMS.show, effect: 'read' })
  async show(given: ArgsOf<'show'>, context: ToolContext): Promise<ToolOutput> {
    const args = readDiffWords(given);
    const { signal } = context;
    const about = await readTarget(this.#repository, args, signal);
    const { revisions, place } = about;
    nameFile(this.#root, place, context);
    const [revision = await this.#findLastChange(place, signal)] = revisions;
    const version = readFileVersion(revision);
    if (version === undefined) {
      const shown = await this.#show(
        { command: ['show', '--diff-merges=first-parent'], revisions: [revision], place, stat: args.stat },
        context,
      );
      if (shown.text !== '' || place === '') return addOtherMeaning(shown, about, context);
      const whole = context.tag(`<show:${revision}:${formatPath(place)}>`);
      return { ...shown, text: `(${revision} changes nothing in ${formatPath(place)}; the file as it was: ${whole})` };
    }
    const { name, range } = splitFileLines(version.file);
    nameFile(this.#root, name, context);
    await this.#check(name, signal);
    await this.#askForSecret(name, context);
    const text = await this.#git.run({ args: ['cat-file', 'blob', `${version.at}:./${name}`], signal });
    return range === undefined ? { text, format: 'code' } : showLines(text, range);
  }

  @tool({
    description: 'Who changed each line of a file last, and when.',
    params: PARAMS.blame,
    effect: 'read',
    range: true,
  })
  async blame({ target, revision }: ArgsOf<'blame'>, context: ToolContext): Promise<ToolOutput> {
    const { range, signal } = context;
    await this.#git.checkPlace(signal);
    const { file, revision: at } = await readBlameTarget(this.#repository, { target, revision }, signal);
    nameFile(this.#root, file, context);
    await this.#askForSecret(file, context);
    const lines = range === undefined ? [] : ['-L', `${range[0]},${range[1] ?? ''}`];
    const which = [...readRevisions(at), '--', file];
    const text = await this.#git.run({ args: ['blame', '--porcelain', '--no-textconv', ...lines, ...which], signal });
    return { text: describeBlame(text), format: 'plain' };
  }

  @tool({
    description:
      'Commits what changed here, or files=; target: the message.\nWhat is staged comes before what changed. Hooks do not run.',
    params: PARAMS.commit,
    body: 'body',
    // Not `write`, because edits may be allowed permanently.
    effect: 'external',
    plan: true,
    target: (args) => makeCommitTarget(readCommit(args)),
  })
  async commit(args: ArgsOf<'commit'>, context: ToolContext): Promise<Change> {
    const { signal } = context;
    await this.#git.checkPlace(signal);
    for (const file of args.files) nameFile(this.#root, file, context);
    const listOwnFiles = () => listWrittenFiles(this.#root, context);
    return planCommit({ root: this.#root, git: this.#git, listOwnFiles, ...readCommit(args) }, signal);
  }

  async #readStatus(place: string, signal: AbortSignal): Promise<string> {
    await this.#check(place, signal);
    const paths = toPathspecs(place === '' ? [] : [place]);
    const options = ['--short', '--branch', '--ignore-submodules=dirty', '--no-renames', '--untracked-files=all'];
    return (
      await this.#git.run({ args: ['-c', 'status.relativePaths=true', 'status', ...options, '--', ...paths], signal })
    ).trimEnd();
  }

  async #show(
    { place, ...request }: Omit<ChangesRequest, 'root' | 'git' | 'paths'> & Pick<GitTarget, 'place'>,
    context: ToolContext,
  ): Promise<ToolOutput> {
    await this.#check(place, context.signal);
    for (const revision of request.revisions.filter((name) => name !== 'HEAD'))
      if (await this.#git.namesContent(revision, context.signal))
        await context.requestApproval('it is a file without its name, which may hold passwords', revision);
    const paths = place === '' ? [] : [place];
    return showChanges({ root: this.#root, git: this.#git, ...request, paths }, context);
  }

  /** Refuses repositories and paths that lead out of the workspace. */
  async #check(place: string, signal: AbortSignal): Promise<void> {
    if (place !== '') await this.#root.info(place);
    await this.#git.checkPlace(signal);
  }

  async #askForSecret(file: string, { requestApproval }: ToolContext): Promise<void> {
    const { secrecy, path } = await this.#root.info(file);
    if (secrecy !== undefined) await requestApproval(`it ${secrecy}`, { path });
  }

  /** Returns the last commit that changed a path. @throws ResourceError if there is none */
  async #findLastChange(place: string, signal: AbortSignal): Promise<string> {
    const args = ['log', '--format=%H', '--max-count=1', '--end-of-options', 'HEAD', '--', ...toPathspecs([place])];
    const found = (await this.#git.run({ args, signal })).trim();
    if (found !== '') return found;
    throw new ResourceError(`no commit has changed ${formatPath(place)}.`, [
      `<status:path=${formatPath(place)}>`,
      `<diff:path=${formatPath(place)}>`,
    ]);
  }

  async #hasCommits(signal: AbortSignal): Promise<boolean> {
    return this.#git.run({ args: ['rev-parse', '--verify', '--quiet', 'HEAD'], signal }).then(
      () => true,
      (error: unknown) => {
        if (error instanceof ResourceError && !error.message.includes('no git repository')) return false;
        throw error;
      },
    );
  }
}

const STAT = /(?<!\S)--(?:compact-summary|stat|shortstat|numstat|summary|name-only|name-status)(?!\S)/g;
const STAGED = /(?<!\S)--(?:cached|staged)(?!\S)/g;

/** Reads the options of git diff whose meaning is that of a parameter: `--stat`, `HEAD~1 --name-only`, `--cached`. */
function readDiffWords<T extends { target: string; stat: boolean; staged?: boolean }>(given: T): T {
  const words = given.target.trim();
  const rest = words.replaceAll(STAT, '');
  const stat = given.stat || rest !== words;
  if (given.staged === undefined) return { ...given, target: rest.trim(), stat };
  const target = rest.replaceAll(STAGED, '');
  return { ...given, target: target.trim(), stat, staged: given.staged || target !== rest };
}

/** Options of log whose meaning is clear without them, and those that say how many commits are wanted. */
const ONE_LINE = /(?<!\S)--oneline(?!\S)/g;
const COUNT = /(?<!\S)(?:-n ?|-|--max-count=)(\d{1,4})(?!\S)/;

/** Reads what log is about as git itself takes it: `-5`, `-n 5 --oneline`, `src -3`; a number alone counts too. */
function readLogWords(given: string): { readonly target: string; readonly count?: number } {
  const words = given.replaceAll(ONE_LINE, '').trim();
  const [, count = /^\d{1,3}$/.exec(words)?.[0]] = COUNT.exec(words) ?? [];
  if (count === undefined) return { target: words };
  return { target: words === count ? '' : words.replace(COUNT, '').trim(), count: Number(count) };
}

/** Says how a name is written as a path, if it was read as a revision and is both. */
function addOtherMeaning(shown: ToolOutput, about: GitTarget, { tag, definition }: ToolContext): ToolOutput {
  const [name = ''] = about.revisions;
  if (about.isBoth !== true) return shown;
  const path = tag(`<${definition.name}:path=${quotePath(name)}>`);
  return {
    ...shown,
    text: `${shown.text}\n[${name} is a revision and a path: this is the revision, the path is ${path}]`,
  };
}

/** Separates the lines from a file as it was: `src/a.ts:10-20`. */
function splitFileLines(file: string): { readonly name: string; readonly range?: readonly [number, number] } {
  const [, name = file, first, last = first] = /^(.+):(\d+)(?:-(\d*))?$/s.exec(file) ?? [];
  if (first === undefined) return { name };
  return { name, range: [Number(first), last === '' ? Infinity : Number(last)] };
}

/** Shows some lines with their numbers; code gets them as they are. */
function showLines(text: string, [first, last]: readonly [number, number]): ToolOutput {
  const lines = splitLines(text);
  const from = Math.max(first, 1);
  const found = lines.slice(from - 1, last);
  const shown = found.map((line, index) => `${from + index}|${line}`).join('');
  const none = `(the file has ${formatQuantity(lines.length, 'line')})`;
  return { text: shown.replace(/\n$/, '') || none, format: 'code', whole: () => found.join('') };
}

function readCommit({ target, files, body = '' }: ArgsOf<'commit'>) {
  return { message: [target.trim(), body.trim()].filter((part) => part !== '').join('\n\n'), files };
}
