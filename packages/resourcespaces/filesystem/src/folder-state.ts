import { formatPath, formatQuantity, type WorkspaceRoot } from '@bae/workspace';

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
export class FolderState {
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
        return [known.text, ...(await this.#renderAdded(added)), ...renderGone(gone)].join('\n');
    }
    const folder = `Folder ${formatPath(this.#root.name)}: ${await renderFirstNames(this.#root, entries)}.`;
    const text = branch === undefined ? folder : `${folder} Git branch: ${formatPath(branch)}.`;
    this.#described = { text, entries: new Set(entries), branch };
    return text;
  }

  /** Names what is new. What git ignores is none of what the project consists of. */
  async #renderAdded(names: readonly string[]): Promise<readonly string[]> {
    if (names.length === 0) return [];
    const shown = names.map(async (name) => {
      const ignored = (await this.#root.isIgnored(name)) ? ' (ignored by git)' : '';
      return `${formatPath(name)}${ignored}`;
    });
    return [`New: ${(await Promise.all(shown)).join(', ')}`];
  }
}

function renderGone(names: readonly string[]): readonly string[] {
  return names.length === 0 ? [] : [`Gone: ${names.map(formatPath).join(', ')}`];
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
