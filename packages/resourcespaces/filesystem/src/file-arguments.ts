import { LineRangeError, type CallTarget, type LineRange, type ToolContext } from '@bae/core';
import {
  EditError,
  FileNotFoundError,
  formatPath,
  formatQuantity,
  type WorkspaceFile,
  type WorkspaceRoot,
} from '@bae/workspace';
import { z } from 'zod';

const target = () =>
  z.string().meta({ description: 'File, with a line range where lines are meant', examples: ['src/main.ts'] });
const ignored = () => z.boolean().default(false).describe('Also what .gitignore excludes');

/** Parameters of the tools; the first one of each tool takes the argument of the tag. */
export const FILE_PARAMS = {
  read: () =>
    z.object({
      target: z
        .string()
        .default('')
        // The root folder can always be read; a file named in an example might not exist.
        .meta({ description: 'File, with a line range where lines are meant; or folder', examples: [''] }),
    }),
  write: () => z.object({ target: target(), content: z.string().describe('The whole file') }),
  edit: () =>
    z.object({
      target: target(),
      old: z.string().optional().describe('Text to replace; occurs once'),
      new: z.string().optional().describe('Replacement text'),
      every: z.boolean().default(false).describe('Replace every occurrence of old'),
      before: z.boolean().default(false).describe('Insert before the lines, or before old'),
      after: z.boolean().default(false).describe('Insert after the lines, or after old'),
      content: z.string().optional().describe('New lines, empty to delete; or blocks of <old>…</old><new>…</new>'),
    }),
  delete: () => z.object({ target: z.string().meta({ description: 'File or folder', examples: ['src/old.ts'] }) }),
  move: () =>
    z
      .object({
        target: z.string().meta({ description: 'File or folder', examples: ['src/old.ts'] }),
        to: z
          .string()
          .default('')
          .meta({ description: 'New path; or a folder, with a slash at its end', examples: ['src/new.ts'] }),
      })
      // Both paths may be in the argument: `<move:a.ts b.ts>`.
      .refine(({ target: from, to }) => to !== '' || /\S\s+\S/.test(from.trim()), {
        path: ['to'],
        message: 'required',
      }),
  mkdir: () => z.object({ target: z.string().meta({ description: 'New folder', examples: ['src/new'] }) }),
  glob: () =>
    z.object({
      pattern: z.string().meta({ description: 'File pattern: ** * ? {a,b} [a-z]', examples: ['src/**/*.ts'] }),
      path: z.string().optional().describe('Folder the pattern begins in'),
      ignored: ignored(),
    }),
  grep: () =>
    z.object({
      pattern: z.string().meta({ description: 'Regular expression of RE2; (?i) ignores case', examples: ['TODO'] }),
      path: z.string().optional().describe('File, folder or file pattern to search'),
      ignored: ignored(),
    }),
  undo: () =>
    z.object({
      steps: z.int().min(1).default(1).describe('How many changes to undo'),
    }),
} as const;

/** What code gets of the searches. */
export const FILE_OUTPUTS = {
  glob: () => z.array(z.string()),
  grep: () => z.array(z.object({ path: z.string(), line: z.int(), text: z.string() })),
} as const;

export type ArgsOf<T extends keyof typeof FILE_PARAMS> = z.output<ReturnType<(typeof FILE_PARAMS)[T]>>;

/** The path that an argument refers to, and the part of the file if one is given. */
export interface FileTarget {
  readonly path: string;
  readonly range?: LineRange;
  /** First requested character of the first line, 1-based. */
  readonly column?: number;
}

/** An argument as path and part; if a file has the whole argument as its name, there is no part. */
export interface SplitTarget extends FileTarget {
  readonly whole?: string | undefined;
}

/** Splits an argument into path and part, by its text alone. */
export function splitTarget(target: string, { range, argument }: ToolContext): SplitTarget {
  if (range !== undefined) return { path: target, range, whole: argument };
  const [, path, line, column] = /^(.+):(\d+)@(\d+)$/s.exec(target) ?? [];
  if (path === undefined) return { path: target };
  return { path, range: [Number(line), null], column: Math.max(Number(column), 1), whole: target };
}

/**
 * Splits an argument into path and part. If a file with exactly the given name exists, the argument is not read as a
 * range.
 *
 * @throws LineRangeError when the range ends before it starts, or starts before line 1
 */
export async function parseTarget(root: WorkspaceRoot, target: string, context: ToolContext): Promise<FileTarget> {
  const { whole, ...file } = splitTarget(target, context);
  if (whole !== undefined && (await root.exists(whole))) return { path: whole };
  checkRange(file);
  return file;
}

/** @throws LineRangeError when the range ends before it starts, or starts before line 1 */
export function checkRange({ path, range: [start, end] = [1, null] }: FileTarget): void {
  if (start >= 1 && (end === null || end >= start)) return;
  throw new LineRangeError(`line range must be 1 ≤ start ≤ end (got ${start}-${end ?? ''}).`, [
    `<R:${formatPath(path)}>`,
  ]);
}

/** Splits `src/a.ts:2-8,13,20-` into the parts of that file; undefined if this is something else, or no such file. */
export async function splitLineRanges(root: WorkspaceRoot, target: string): Promise<readonly FileTarget[] | undefined> {
  const [, path = '', ranges = ''] = /^(.+?):(\d+(?:-\d*)?(?:,\s*\d+(?:-\d*)?)+)$/.exec(target) ?? [];
  if (path === '' || !(await root.exists(path))) return undefined;
  return ranges.split(/,\s*/).map((lines) => {
    const [first = '', last = first] = lines.split('-');
    return { path, range: [Number(first), last === '' ? null : Number(last)] };
  });
}

/** Maximum number of files that an error suggests. */
const MOST_SUGGESTIONS = 3;
/** Maximum number of paths that an argument is split into. */
const MOST_PATHS = 10;

/** A path for which there is no file. */
export interface MissingFile {
  readonly file: FileTarget;
  readonly context: ToolContext;
}

/**
 * Returns the error for a missing path: it suggests files of the same name in other folders, or splits a list of
 * paths, or counts what a pattern matches.
 * Other spaces may have what the path names.
 */
export async function explainMissingFile(root: WorkspaceRoot, error: unknown, missing: MissingFile): Promise<unknown> {
  // Code may try many paths, and each search walks all folders.
  if (!(error instanceof FileNotFoundError) || missing.context.fromCode) return error;
  const explained = await suggestFiles(root, error, missing);
  const hasNear = explained.message.includes('Did you mean') || explained.hints.some((hint) => hint !== error.hints[0]);
  return Object.assign(explained, { missing: { name: missing.file.path, hasNear } });
}

async function suggestFiles(
  root: WorkspaceRoot,
  error: FileNotFoundError,
  { file: { path, range }, context: { signal } }: MissingFile,
): Promise<FileNotFoundError> {
  const several = path.split(/[\s,;|]+/).filter((part) => part !== '');
  if (
    several.length > 1 &&
    several.length <= MOST_PATHS &&
    (await Promise.all(several.map((part) => root.exists(part)))).every(Boolean)
  ) {
    const tags = several.slice(0, MOST_SUGGESTIONS).map((part) => `<R:${formatPath(part)}>`);
    return new FileNotFoundError(`${formatPath(path)} does not exist: each tag reads one path.`, tags);
  }
  if ((await splitLineRanges(root, path)) !== undefined)
    return new FileNotFoundError(`${formatPath(path)} does not exist: each edit takes one range of lines.`, [
      `<R:${formatPath(path)}>`,
    ]);
  if (/[*?{]/.test(path)) {
    const matches = await root.glob({ pattern: path, signal });
    const count = formatQuantity(matches.length, 'file');
    const fact = `${formatPath(path)} is a pattern that matches ${count}: each tag takes one file.`;
    const isFew = matches.length <= MOST_SUGGESTIONS;
    const tags = isFew ? matches.map((one) => `<R:${formatPath(one)}>`) : [`<G:${formatPath(path)}>`];
    if (matches.length > 0) return new FileNotFoundError(fact, tags);
  }
  const [, file = '', symbol = ''] = /^([^#:]+)(?:#|::?)([\w$.#:]+)$/.exec(path) ?? [];
  if (file !== '' && (await root.exists(file))) {
    const name = symbol.split(/[.#:]+/).at(-1)!;
    const fact = `${formatPath(path)} does not exist: ${formatPath(file)} is a file, and ${symbol} is something in it.`;
    return new FileNotFoundError(fact, [`<Grep:${name} path=${formatPath(file)}>`]);
  }
  const name = path.replace(/^.*\//, '');
  if (error.message.includes('Did you mean') || !/^[\w.@+-]+$/.test(name)) return error;
  const named = await root.glob({ pattern: `**/${name}`, signal });
  const found = keepNearest(named, path);
  if (found.length === 0) return error;
  const lines = range === undefined ? '' : `:${range[0]}-${range[1] ?? ''}`;
  const tags = found.slice(0, MOST_SUGGESTIONS).map((one) => `<R:${formatPath(one)}${lines}>`);
  const others = found.length > 1 ? ` ${found.length} files have that name.` : '';
  return new FileNotFoundError(`${formatPath(path)} does not exist.${others}`, tags);
}

/** Finds the only file that ends with a path for which there is none; from code, and if there are several, none. */
export async function findOnlyFile(
  root: WorkspaceRoot,
  error: unknown,
  { file: { path }, context: { signal, fromCode } }: MissingFile,
): Promise<string | undefined> {
  if (!(error instanceof FileNotFoundError) || fromCode) return undefined;
  const ending = path.replace(/^(?:\.?\/)+/, '');
  if (!/^[\w.@+/-]+\.\w+$/.test(ending) || ending.includes('..')) return undefined;
  const found = await root.glob({ pattern: `**/${ending}`, signal });
  return found.length === 1 ? found[0] : undefined;
}

/** Keeps the paths that share most of the last names with a path: of all `index.js`, those in `send` for `send/index.js`. */
function keepNearest(paths: readonly string[], wanted: string): readonly string[] {
  const names = wanted.split('/').toReversed();
  const countShared = (path: string): number => {
    const own = path.split('/').toReversed();
    const end = names.findIndex((name, index) => own[index] !== name);
    return end === -1 ? names.length : end;
  };
  const most = Math.max(0, ...paths.map(countShared));
  return paths.filter((path) => countShared(path) === most);
}

/** The target of a call that changes a file: the file, and the lines if a range is given. */
export interface ChangeTarget extends CallTarget {
  readonly file: WorkspaceFile;
  readonly range?: LineRange | undefined;
}

/**
 * Opens the file that a call is to change.
 *
 * @throws ProtectedFileError for files that no tool may write; LineRangeError as for reading
 */
export async function openTarget(root: WorkspaceRoot, target: string, context: ToolContext): Promise<ChangeTarget> {
  const { path, range } = await parseTarget(root, target, context);
  return prepareTarget(root.open(path, { toChange: true }), range);
}

/**
 * Opens what a call is to delete or move: if it is a link, the link itself.
 *
 * @throws ProtectedFileError for files that no tool may write; LineRangeError as for reading
 */
export async function openItself(root: WorkspaceRoot, target: string, context: ToolContext): Promise<ChangeTarget> {
  const { path, range } = await parseTarget(root, target, context);
  return prepareTarget(root.open(path, { toChange: true, itself: true }), range);
}

function prepareTarget(file: WorkspaceFile, range: LineRange | undefined): ChangeTarget {
  // One walk finds the path and the content. If reading fails, it fails again with the same error when a change is
  // planned.
  file.read().catch(() => undefined);
  return { path: file.path, file, range };
}

/** Returns the file of a target; refuses a target with a line range. */
export function requireWholeFile({ file, range }: ChangeTarget): WorkspaceFile {
  if (range === undefined) return file;
  const shown = formatPath(file.given);
  const lines = `${range[0]}-${range[1] ?? ''}`;
  throw new EditError('write replaces the whole file; lines of it are edited.', [
    `<E:${shown}:${lines}>`,
    `<W:${shown}>`,
  ]);
}

/** Returns the file or folder of a target for a verb that takes it as a whole; refuses a target with a line range. */
export function refuseLines({ file, range }: ChangeTarget, verb: string): WorkspaceFile {
  if (range === undefined) return file;
  const shown = formatPath(file.given);
  throw new EditError(`${verb} takes a whole file or folder; lines of it are edited.`, [
    `<${verb}:${shown}>`,
    `<E:${shown}:${range[0]}-${range[1] ?? ''}>`,
  ]);
}

/**
 * Asks the user before a possible secret is shown; returns true for a possible secret. A refusal throws an
 * ApprovalError.
 */
export async function consentToShow(
  { path, kind, secrecy }: WorkspaceFile['info'],
  { requestApproval }: Pick<ToolContext, 'requestApproval'>,
): Promise<boolean> {
  if (secrecy === undefined || kind === 'missing') return false;
  await requestApproval(`it ${secrecy}`, { path });
  return true;
}
