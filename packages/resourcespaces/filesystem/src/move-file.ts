import { posix } from 'node:path';
import { ParameterError, ResourceError, type Change, type ToolContext, type ToolOutput } from '@bae/core';
import { escapePattern, formatPath, formatQuantity, SeenFiles, type WorkspaceRoot } from '@bae/workspace';
import { refuseLines, type ChangeTarget } from './file-arguments.ts';
import { refuseParameter } from './write-file.ts';

/** Maximum number of edits of imports that an answer lists. */
const MOST_EDITS = 8;

type Tree = Awaited<ReturnType<WorkspaceRoot['listTree']>>;

/**
 * Plans to delete a file, a link but not what it leads to, or a folder with everything in it. One undo restores all of
 * it.
 *
 * @throws ProtectedFileError for files that no tool may write; FileError for a folder with pipes, sockets or devices in
 *   it, or too many files
 */
export async function planDelete(root: WorkspaceRoot, context: ToolContext): Promise<Change> {
  const file = refuseLines(context.target as ChangeTarget, 'delete');
  const shown = formatPath(file.given);
  if (file.info.kind !== 'folder') {
    const change = await file.planRemove({ action: 'delete' });
    return change.map((_, { session, batch, tag }) => {
      new SeenFiles({ session, batch }).reverted(file.path, undefined);
      return plainOutput(`Deleted ${shown}. Undo it with ${tag('<undo:>')}`);
    });
  }
  const tree = await listAll(root, file.path);
  const drafts = [...tree.files, ...tree.empty].map((path) => ({
    file: root.open(path, { toChange: true, itself: true }),
    content: null,
    action: 'delete',
  }));
  const change = await root.planGroup(drafts);
  return change.map(async (_, { session, batch, tag }) => {
    const seen = new SeenFiles({ session, batch });
    for (const path of tree.files) seen.reverted(path, undefined);
    await root.removeEmptyFolders(tree.folders);
    const what = tree.files.length === 0 ? ', which was empty' : ` (${formatQuantity(tree.files.length, 'file')})`;
    return plainOutput(`Deleted ${shown}${what}. Undo it with ${tag('<undo:>')}`);
  });
}

/**
 * Plans to make a folder.
 *
 * @throws FileError when the path already exists; EditError for a new name that ends in what looks like a parameter
 */
export async function planFolder(root: WorkspaceRoot, given: string, context: ToolContext): Promise<Change> {
  refuseParameter(given, 'mkdir', context);
  const path = given.trim().replace(/(?<=.)\/+$/, '');
  const shown = formatPath(path);
  const change = await root.planFolder(path);
  return change.map((_, { tag }) => plainOutput(`Made ${shown}/. Undo it with ${tag('<undo:>')}`));
}

/**
 * Plans to give a file, link or folder another path. If the new path is a folder or ends with a slash, the file or folder is
 * moved into it.
 *
 * @throws FileError when the new path already exists; ProtectedFileError for files that no tool may write
 */
export async function planMove(root: WorkspaceRoot, wanted: string, context: ToolContext): Promise<Change> {
  const given = refuseLines(context.target as ChangeTarget, 'move');
  if (wanted === '') refuseParameter(given.given, 'move', context);
  const [first, to] = splitPaths(given.given, wanted);
  const from = to === wanted ? given : root.open(first, { toChange: true, itself: true });
  const name = from.path.split('/').at(-1)!;
  const intoFolder = to.endsWith('/') || root.open(to).info.kind === 'folder';
  const newName = intoFolder ? `${to.replace(/\/+$/, '')}/${name}` : to;
  const target = root.open(newName, { toChange: true, itself: true });
  if (target.path === from.path) throw new ResourceError(`${formatPath(from.given)} already has that path.`, ['<R:.>']);
  const isFolder = from.info.kind === 'folder';
  if (isFolder && `${target.path}/`.startsWith(`${from.path}/`))
    throw new ResourceError(`${formatPath(from.given)} cannot be moved into itself.`, ['<R:.>']);
  const tree = isFolder ? await listAll(root, from.path) : { files: [from.path], folders: [], empty: [] };
  const newPath = (path: string): string => target.path + path.slice(from.path.length);
  const open = (path: string) => root.open(path, { toChange: true, itself: true });
  const change = await root.planMoves(
    [...tree.files, ...tree.empty].map((path) => [open(path), open(newPath(path))] as const),
  );
  return change.map(async (written, { session, batch, tag }) => {
    const seen = new SeenFiles({ session, batch });
    for (const [index, path] of tree.files.entries()) {
      const wasSeen = seen.view(path).base !== undefined;
      seen.reverted(path, undefined);
      if (wasSeen) seen.written(newPath(path), written[index]!);
    }
    await root.removeEmptyFolders(tree.folders);
    const count = isFolder ? ` (${formatQuantity(tree.files.length, 'file')})` : '';
    const moved = `Moved ${formatPath(from.path)} to ${formatPath(target.path)}${count}. Undo it with ${tag('<undo:>')}`;
    const mentions = await findMentions(root, from.path, { isFolder });
    const edits = await listImportEdits(root, { files: tree.files, newPath, mentions: mentions.files });
    const lines = [moved];
    if (edits.length > 0) {
      lines.push(`${formatQuantity(edits.length, 'import')} to correct:`, ...edits.slice(0, MOST_EDITS).map(tag));
      if (edits.length > MOST_EDITS) lines.push(`and ${edits.length - MOST_EDITS} more`);
    }
    if (mentions.files.length > 0) {
      const verb = mentions.files.length === 1 ? 'mentions' : 'mention';
      const where = `${formatQuantity(mentions.files.length, 'file')} ${verb} it`;
      lines.push(`${where} by its old name: ${tag(`<Grep:${mentions.pattern}>`)}`);
    }
    return plainOutput(lines.join('\n'));
  });
}

/** Returns the two paths of `<move:a.ts to=b.ts>`, even if both are in the argument: `a.ts b.ts`, `a b.ts -> c.ts`. */
function splitPaths(given: string, to: string): readonly [from: string, to: string] {
  if (to !== '') return [given, to];
  // Without quotes, a new path of several words is no value of its own.
  const [, from, target] =
    /^(.+?)\s+(?:->\s|=>\s|to=)\s*(.+)$/.exec(given) ?? /^(\S+)\s+(?:to\s+)?(\S+)$/.exec(given) ?? [];
  if (from !== undefined && target !== undefined) return [from, target];
  const shown = formatPath(given);
  throw new ParameterError('move needs the new path.', [`<move:${shown} to=…>`]);
}

function plainOutput(text: string): ToolOutput {
  return { text, format: 'plain' };
}

async function listAll(root: WorkspaceRoot, path: string): Promise<Tree> {
  if (path === '') throw new ResourceError('the root folder stays where it is.', ['<R:.>']);
  return root.listTree(path);
}

/** Finds the files that still mention the old name, for example in imports. */
async function findMentions(root: WorkspaceRoot, path: string, { isFolder }: { readonly isFolder: boolean }) {
  const pattern = makeMentionPattern(path, isFolder);
  const { files } = await root.grep({ pattern, limit: 1, isOwn: true });
  return { files: files.map(({ path }) => path), pattern };
}

/** Names of files that are imported by the name of their folder. */
const STANDS_FOR_FOLDER = /^(?:index\.[^/]+|__init__\.py)$/;

function makeMentionPattern(path: string, isFolder: boolean): string {
  const [name = '', folder] = path.split('/').toReversed();
  if (!isFolder && folder !== undefined && STANDS_FOR_FOLDER.test(name)) {
    const ended = String.raw`[/'"]${escapePattern(folder)}(/(index(\.\w+)?)?)?['"]`;
    return name.endsWith('.py') ? makePythonPattern(folder) : ended;
  }
  if (name.endsWith('.py')) return makePythonPattern(name.slice(0, -3));
  const stem = isFolder ? `${name}/` : name.replace(/(?<=[^.])\.[^.]+$/, '');
  const exact = escapePattern(stem);
  // Many words begin like a short name, so a short name must be everything between the quotes.
  return stem.length < 3 ? String.raw`[/'"]${exact}(\.\w+)?['"]` : String.raw`[/'"]${exact}`;
}

/** Matches imports of a Python module, and paths that name its file. */
function makePythonPattern(name: string): string {
  const exact = escapePattern(name);
  return String.raw`^\s*(from|import)\s.*\b${exact}\b|/${exact}\.py`;
}

/** Files of JavaScript and TypeScript, whose relative imports are resolved. */
const CODE = /\.[cm]?[jt]sx?$/;
/** Finds the path of a relative import, export, `import(…)`, `require(…)` or `vi.mock(…)`, with its quotes. */
const IMPORT = /(?:\bfrom\s*|\bimport\s*\(?\s*|\b(?:require|mock)\s*\(\s*)(['"])(\.{1,2}(?:\/[^'"\n]*)?)\1/g;
/** Endings of the files that an import without ending may mean, the most frequent first. */
const ENDINGS = ['.ts', '.tsx', '.js', '.jsx', '.mts', '.mjs', '.cts', '.cjs', '.d.ts', '.json'];

export interface MovedFiles {
  /** Old paths of the moved files. */
  readonly files: readonly string[];
  readonly newPath: (path: string) => string;
  /** Files, by the paths that they have now, that may import one of them. */
  readonly mentions: readonly string[];
}

/**
 * Lists the edits that make relative imports lead to the same files as before a move, as tags: those of the moved files
 * themselves and of the files that import them.
 */
async function listImportEdits(root: WorkspaceRoot, moved: MovedFiles): Promise<readonly string[]> {
  const oldPaths = new Map(moved.files.map((path) => [moved.newPath(path), path]));
  const readers = [...new Set([...oldPaths.keys(), ...moved.mentions])].filter((path) => CODE.test(path));
  const edits: string[] = [];
  for (const path of readers) {
    const text = await root.readText(path).then(
      (file) => file.text,
      () => '',
    );
    const found = new Map<string, number>();
    for (const [, quote = '', name = ''] of text.matchAll(IMPORT)) {
      const written = `${quote}${name}${quote}`;
      found.set(written, (found.get(written) ?? 0) + 1);
    }
    for (const [written, count] of found) {
      const name = written.slice(1, -1);
      const target = await findImported(root, posix.join(posix.dirname(oldPaths.get(path) ?? path), name), moved);
      if (target === undefined) continue;
      const targetNow = moved.files.includes(target) ? moved.newPath(target) : target;
      const now = spell(name, posix.relative(posix.dirname(path), targetNow));
      if (now === name) continue;
      const quote = written[0]!;
      const outer = quote === '"' ? "'" : '"';
      const every = count > 1 ? ' every=true' : '';
      const change = `old=${outer}${written}${outer} new=${outer}${quote}${now}${quote}${outer}`;
      edits.push(`<E:${formatPath(path)} ${change}${every}>`);
    }
  }
  return edits;
}

/** Finds the file that an import meant before the move, by its old path. */
async function findImported(root: WorkspaceRoot, path: string, { files, newPath }: MovedFiles) {
  const stem = path.replace(/\.[cm]?jsx?$/, '');
  const candidates = [path, ...(stem === path ? [] : ENDINGS.map((ending) => stem + ending))];
  for (const base of [path, `${path}/index`]) candidates.push(...ENDINGS.map((ending) => base + ending));
  for (const candidate of candidates) {
    if (files.includes(candidate)) return candidate;
    // What is there now was there before, unless it was moved there.
    if (files.some((file) => newPath(file) === candidate)) continue;
    if ((await root.exists(candidate)) && (await root.info(candidate)).kind === 'file') return candidate;
  }
  return undefined;
}

/** Spells a path as an import was spelled: with its ending, another one, or none, and without `index`. */
function spell(old: string, path: string): string {
  const relative = path.startsWith('.') ? path : `./${path}`;
  const ending = /\.(?:[cm]?[jt]sx?|json|vue|svelte|css)$/.exec(old)?.[0];
  if (ending !== undefined) return relative.replace(/(?:\.d)?\.\w+$/, ending);
  const stem = relative.replace(/(?:\.d)?\.\w+$/, '');
  return /(?:^|\/)index$/.test(old) ? stem : stem.replace(/\/index$/, '');
}
