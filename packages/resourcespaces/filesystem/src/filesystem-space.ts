import {
  inject,
  resourcespace,
  tool,
  type Change,
  type Resourcespace,
  type SearchHit,
  type ToolContext,
} from '@bae/core';
import { planUndo, WORKSPACE_ROOT, formatPath, formatQuantity, type WorkspaceRoot } from '@bae/workspace';
import { planFileEdit } from './edit-file.ts';
import {
  explainMissingFile,
  openItself,
  openTarget,
  requireWholeFile,
  splitTarget,
  FILE_OUTPUTS,
  FILE_PARAMS,
  type ChangeTarget,
  type ArgsOf,
} from './file-arguments.ts';
import { globFiles } from './glob-files.ts';
import { grepFiles, searchFiles } from './search-files.ts';
import { planDelete, planFolder, planMove } from './move-file.ts';
import { readElsewhere, readFileTarget } from './read-file.ts';
import { planFileWrite, refuseSymbol } from './write-file.ts';

/** The files of one folder. This is the home space unless an agent chooses another. */
@resourcespace({ name: 'filesystem', description: 'Files and folders: read, write, edit, find and search.' })
export class FilesystemSpace implements Resourcespace {
  readonly #root: WorkspaceRoot;
  readonly #state: FolderState;

  constructor(@inject(WORKSPACE_ROOT) root: WorkspaceRoot) {
    this.#root = root;
    this.#state = new FolderState(root);
  }

  enter(): Promise<string> {
    return this.#state.describe();
  }

  search(query: string, limit: number): Promise<readonly SearchHit[]> {
    return searchFiles(this.#root, query, limit);
  }

  @tool({
    description: 'A file, lines of it (a.ts:2-40), or what is in a folder.',
    params: FILE_PARAMS.read,
    seesDraft: true,
    range: true,
  })
  async read({ target }: ArgsOf<'read'>, context: ToolContext) {
    const file = splitTarget(target, context);
    try {
      return await readFileTarget(this.#root, file, context);
    } catch (error) {
      return await readElsewhere(this.#root, error, { file, context });
    }
  }

  @tool({
    description: 'A whole file with this text.\nThe answer is its new size. Parent folders are created.',
    params: FILE_PARAMS.write,
    idempotent: true,
    seesDraft: true,
    body: 'content',
    range: true,
    plan: true,
    target(this: FilesystemSpace, args, context) {
      return this.openTarget(args, context);
    },
  })
  async write({ content }: ArgsOf<'write'>, context: ToolContext) {
    const file = requireWholeFile(context.target as ChangeTarget);
    await refuseSymbol(file, context);
    return planFileWrite(file, content, context);
  }

  @tool({
    description:
      'New lines for a.ts:2-3, or <old>…</old><new>…</new> below.\nThe answer is the diff. The body takes the place of the lines, or is blocks of old and new text.',
    params: FILE_PARAMS.edit,
    seesDraft: true,
    body: 'content',
    range: true,
    plan: true,
    target(this: FilesystemSpace, args, context) {
      return this.openTarget(args, context);
    },
  })
  async edit(args: ArgsOf<'edit'>, context: ToolContext) {
    try {
      return await planFileEdit(this.#root, args, context);
    } catch (error) {
      const { file, range } = context.target as ChangeTarget;
      throw await explainMissingFile(this.#root, error, {
        file: { path: file.given, ...(range && { range }) },
        context,
      });
    }
  }

  @tool({
    description: 'Files that match a pattern such as src/**/*.ts.',
    params: FILE_PARAMS.glob,
    seesDraft: true,
    output: FILE_OUTPUTS.glob,
  })
  glob(args: ArgsOf<'glob'>, context: ToolContext) {
    return globFiles(this.#root, args, context);
  }

  @tool({
    description: 'Lines that match a regular expression: path:line: text.',
    params: FILE_PARAMS.grep,
    seesDraft: true,
    output: FILE_OUTPUTS.grep,
  })
  grep(args: ArgsOf<'grep'>, context: ToolContext) {
    return grepFiles(this.#root, args, context);
  }

  @tool({
    description: 'A file deleted, or a folder with everything in it.',
    params: FILE_PARAMS.delete,
    seesDraft: true,
    range: true,
    plan: true,
    target(this: FilesystemSpace, args, context) {
      return this.openItself(args, context);
    },
  })
  delete(_: ArgsOf<'delete'>, context: ToolContext) {
    return planDelete(this.#root, context);
  }

  @tool({
    description: 'A file or folder moved to another path.',
    params: FILE_PARAMS.move,
    seesDraft: true,
    range: true,
    plan: true,
    target(this: FilesystemSpace, args, context) {
      return this.openItself(args, context);
    },
  })
  move({ to }: ArgsOf<'move'>, context: ToolContext) {
    return planMove(this.#root, to, context);
  }

  @tool({
    description: 'A new folder, with those above it.\nWriting a file makes its folders anyway.',
    params: FILE_PARAMS.mkdir,
    plan: true,
    target: ({ target }) => target,
  })
  mkdir({ target }: ArgsOf<'mkdir'>, context: ToolContext) {
    return planFolder(this.#root, target, context);
  }

  @tool({
    description: 'The last changes of this session undone.\nA file that was changed since stays.',
    params: FILE_PARAMS.undo,
    effect: 'write',
    target: () => '',
    plan: true,
  })
  undo({ steps }: ArgsOf<'undo'>, context: ToolContext): Promise<Change | string> {
    return planUndo(this.#root, { steps }, context);
  }

  // Not #private: the options of a decorator cannot access private members.
  private openTarget({ target }: { readonly target: string }, context: ToolContext): Promise<ChangeTarget> {
    return openTarget(this.#root, target, context);
  }

  private openItself({ target }: { readonly target: string }, context: ToolContext): Promise<ChangeTarget> {
    return openItself(this.#root, target, context);
  }
}

const LARGEST_HEAD = 4096;

/** Maximum total length of the names that are listed on entering, in characters. */
const NAMES_ROOM = 90;

/** Maximum number of names that have come or gone since the folder was described; with more, it is described anew. */
const MOST_CHANGES = 8;

interface DescribedFolder {
  readonly text: string;
  readonly entries: ReadonlySet<string>;
  readonly branch: string | undefined;
}

/**
 * Describes a folder: `Folder bae: docs/ src/ package.json +11. Git branch: main.` Later, lines below this name what is
 * new and what is gone since, so that a reader who knows the first line needs only these.
 */
class FolderState {
  readonly #root: WorkspaceRoot;
  #described: DescribedFolder | undefined;

  constructor(root: WorkspaceRoot) {
    this.#root = root;
  }

  async describe(): Promise<string> {
    const entries = await this.#root.list('.');
    const branch = await readGitBranch(this.#root);
    const known = this.#described;
    if (known !== undefined && known.branch === branch) {
      const added = entries.filter((name) => !known.entries.has(name));
      const gone = [...known.entries].filter((name) => !entries.includes(name));
      if (added.length + gone.length <= MOST_CHANGES)
        return [known.text, ...(await this.#renderAdded(added)), ...renderNames('Gone', gone.map(formatPath))].join(
          '\n',
        );
    }
    const folder = `Folder ${formatPath(this.#root.name)}: ${await renderFirstNames(this.#root, entries)}.`;
    const text = branch === undefined ? folder : `${folder} Git branch: ${formatPath(branch)}.`;
    this.#described = { text, entries: new Set(entries), branch };
    return text;
  }

  /** Names what is new. What git ignores is none of what the project consists of. */
  async #renderAdded(names: readonly string[]): Promise<readonly string[]> {
    const ignored = await Promise.all(names.map((name) => this.#root.isIgnored(name)));
    const list = (isIgnored: boolean) => names.filter((_, index) => ignored[index] === isIgnored).map(formatPath);
    return [...renderNames('New', list(false)), ...renderNames('New, and ignored by git', list(true))];
  }
}

function renderNames(what: string, names: readonly string[]): readonly string[] {
  return names.length === 0 ? [] : [`${what}: ${names.join(', ')}`];
}

/** Kinds of names by how soon they are listed: what says what a project is, other files, what every project has. */
const SOON = /^(?:package\.json|pyproject\.toml|Cargo\.toml|go\.mod|composer\.json|Makefile|README\b.*)$/i;
const LATE =
  /^(?:\.|(?:node_modules|dist|__pycache__)\/$|(?:licen[cs]e|changelog|changes|history|authors|security|code_of_conduct)\b)|\block\b/i;

function rankName(name: string): number {
  if (LATE.test(name)) return name.startsWith('.') ? 4 : 3;
  if (name.endsWith('/')) return 0;
  return SOON.test(name) ? 1 : 2;
}

/** Returns as many names as fit, folders first and hidden ones last, followed by the number of the remaining ones. */
async function renderFirstNames(root: WorkspaceRoot, entries: readonly string[]): Promise<string> {
  const names = entries.toSorted((a, b) => rankName(a) - rankName(b)).map(formatPath);
  let room = NAMES_ROOM;
  const end = names.findIndex((name) => (room -= name.length + 1) < 0);
  const shown = end === -1 ? names : names.slice(0, end);
  if (shown.length === 0) return entries.length === 0 ? 'empty' : formatQuantity(entries.length, 'long name');
  const more = entries.length - shown.length;
  const sized = await Promise.all(shown.map((name) => addLargeSize(root, name)));
  return `${sized.join(' ')}${more > 0 ? ` +${more}: <R:>` : ''}`;
}

/** Size, in bytes, from which a file counts as large: one reads its end or searches it. */
const LARGE = 50_000;

/** Returns `build.log (86 kB)` for a large file, and only the name for other entries. */
async function addLargeSize(root: WorkspaceRoot, name: string): Promise<string> {
  if (name.endsWith('/')) return name;
  try {
    const { kind, size } = await root.info(name);
    return kind === 'file' && size >= LARGE ? `${name} (${Math.round(size / 1000)} kB)` : name;
  } catch {
    // The name is a link that leads out of the folder.
    return name;
  }
}

async function readGitBranch(root: WorkspaceRoot): Promise<string | undefined> {
  try {
    const { kind, size } = await root.info('.git/HEAD');
    if (kind !== 'file' || size > LARGEST_HEAD) return undefined;
    return /^ref: refs\/heads\/(.+)$/m.exec((await root.readText('.git/HEAD', { secrets: true })).text)?.[1];
  } catch {
    return undefined;
  }
}
