import type { ParseProblem, ToolCall } from '../../protocol/tool-call.ts';
import { CONTENT_NAMES, SHORT_TAGS } from '../../protocol/verbs.ts';
import type { TagName, TagNames } from '../names.ts';
import { parseProblems } from '../problems.ts';
import { isArgumentMissing } from '../tag.ts';

/** A call with named arguments, as other tools have it. */
export interface NamedCall {
  readonly name: string;
  readonly args: Readonly<Record<string, unknown>>;
  /** Arguments without names, in their order; in JSON and XML there are none. */
  readonly values?: readonly unknown[];
  /** True when the texts of the call stood on lines of their own, between its elements. */
  readonly block?: boolean;
  readonly form?: 'json';
  /** Line of the text it begins on, from 1. */
  readonly line: number;
}

/** The meaning of a text in another call syntax. */
export interface ForeignCalls {
  readonly calls: readonly ToolCall[];
  readonly problems: readonly ParseProblem[];
}

/** Names that other tools have for the five verbs. */
const FOREIGN_NAMES: ReadonlyMap<string, string> = new Map([
  ...['read_file', 'view_file', 'open_file', 'view', 'cat'].map((name) => [name, 'read'] as const),
  ...['write_to_file', 'write_file', 'create_file', 'create'].map((name) => [name, 'write'] as const),
  ...['edit_file', 'replace_in_file', 'str_replace', 'apply_diff'].map((name) => [name, 'edit'] as const),
  ...['search_files', 'grep_search', 'search', 'ripgrep', 'rg'].map((name) => [name, 'grep'] as const),
  ...['list_files', 'list_dir', 'list_directory', 'ls', 'find_files', 'file_search', 'find'].map(
    (name) => [name, 'glob'] as const,
  ),
]);

const LISTINGS: ReadonlySet<string> = new Set(['list_files', 'list_dir', 'list_directory', 'ls']);
/** Tools of which one does the work of several, named by its argument `command`. */
const TEXT_EDITORS: ReadonlySet<string> = new Set(['str_replace_editor', 'str_replace_based_edit_tool', 'text_editor']);
/** Prefix of the names of tools in other frameworks. */
const NAME_PREFIX = /^(?:functions|default_api|tools?)\./;

const TARGETS = ['target', 'file_path', 'path', 'filePath', 'filename', 'file', 'dir_path', 'directory', 'uri'];
const PATTERNS = ['target', 'pattern', 'query', 'regex', 'search'];
/** The names of the arguments that may be given by position, in their order. */
const POSITIONS: Readonly<Record<string, readonly string[]>> = {
  read: ['target', 'offset', 'limit'],
  write: ['target', 'content'],
  edit: ['target', 'old', 'new'],
  glob: ['pattern', 'path'],
  grep: ['pattern', 'path'],
};

/**
 * The verb or tool that a name of another framework stands for: `Read`, `read_file`, `functions.read`,
 * `mcp__github__create_issue`; undefined when no tool has it.
 */
export function resolveForeignName(written: string, names: TagNames): TagName | undefined {
  const name = written.replace(NAME_PREFIX, '');
  const known = names.resolve(name) ?? names.resolve(name.replace(/^mcp__/, '').replaceAll('__', '.'));
  if (known) return known;
  const verb = FOREIGN_NAMES.get(name);
  return verb === undefined ? undefined : { verb, space: undefined };
}

/** True when a name of another framework stands for a tool. */
export function isForeignName(written: string, names: TagNames): boolean {
  return TEXT_EDITORS.has(written) || resolveForeignName(written, names) !== undefined;
}

/**
 * Translates a call such as `Read` with `{ file_path: 'a.py' }` into one of the tag protocol; undefined when
 * no tool has its name.
 *
 * Arguments that have a place in a tag go there, the others stay keywords.
 */
export function translateCall(call: NamedCall, names: TagNames): ForeignCalls | undefined {
  if (TEXT_EDITORS.has(call.name)) return translateEditor(call, names);
  const known = resolveForeignName(call.name, names);
  if (!known) return undefined;
  const keywords = new Map(Object.entries(call.args));
  const positions = LISTINGS.has(call.name) ? ['path'] : (POSITIONS[known.verb] ?? ['target']);
  if (!nameValues(positions, call.values ?? [], keywords)) return undefined;
  const isListing = known.verb === 'glob' && LISTINGS.has(call.name) && !PATTERNS.some((key) => keywords.has(key));
  const verb = isListing ? translateListing(keywords) : known.verb;
  const diff = verb === 'edit' ? takeDiff(keywords) : undefined;
  if (!diff) return makeForeignCall({ ...known, verb }, keywords, call);
  const results = diff.map(([old, replacement]) =>
    makeForeignCall({ ...known, verb }, new Map([...keywords, ['old', old], ['new', replacement]]), call),
  );
  return joinCalls(results);
}

export function joinCalls(parts: readonly ForeignCalls[]): ForeignCalls {
  return { calls: parts.flatMap(({ calls }) => calls), problems: parts.flatMap(({ problems }) => problems) };
}

function makeForeignCall(
  { verb, space }: TagName,
  keywords: Map<string, unknown>,
  { line, form, block = false }: NamedCall,
): ForeignCalls {
  const { arg, body } = takeTagParts(verb, keywords);
  const prefix = space === undefined ? '' : `${space}.`;
  const short = Object.hasOwn(SHORT_TAGS, verb) ? SHORT_TAGS[verb as keyof typeof SHORT_TAGS] : verb;
  const tag = `<${prefix}${short}:${arg}>`;
  if (keywords.size === 0 && isArgumentMissing({ verb, arg })) {
    return { calls: [], problems: [parseProblems.emptyArg(line, { verb, text: tag }, 'tag')] };
  }
  const call: ToolCall = {
    verb,
    arg,
    ...(body !== undefined && { body, ...(block && { block }) }),
    ...(keywords.size > 0 && { kwargs: Object.fromEntries(keywords) }),
    ...(space !== undefined && { space }),
    ...(form !== undefined && { form }),
    line,
    tag,
  };
  return { calls: [call], problems: [] };
}

/** Translates a call of a tool that views, creates and changes files, according to its argument `command`. */
function translateEditor(call: NamedCall, names: TagNames): ForeignCalls | undefined {
  const { command, ...args } = call.args;
  const name = command === 'view' || command === 'create' || command === 'str_replace' ? command : undefined;
  const { view_range: range, ...others } = args;
  const lines = Array.isArray(range) ? { start_line: range[0] as unknown, end_line: range[1] as unknown } : {};
  return name && translateCall({ ...call, name, args: { ...others, ...lines } }, names);
}

/** Gives values without names the names they have in that order; false when there are too many. */
function nameValues(positions: readonly string[], values: readonly unknown[], keywords: Map<string, unknown>): boolean {
  for (const [index, value] of values.entries()) {
    const key = positions[index];
    if (key === undefined || keywords.has(key)) return false;
    keywords.set(key, value);
  }
  return true;
}

/** Makes the listing of a folder a read of it, or a glob when it goes into its folders; returns the verb. */
function translateListing(keywords: Map<string, unknown>): string {
  const isRecursive = keywords.get('recursive') === true || keywords.get('recursive') === 'true';
  keywords.delete('recursive');
  if (!isRecursive) return 'read';
  keywords.set('pattern', '**');
  return 'glob';
}

/** Takes the argument and the body of a tag out of named arguments. */
function takeTagParts(verb: string, args: Map<string, unknown>): { readonly arg: string; readonly body?: string } {
  switch (verb) {
    case 'read':
      return { arg: takeRange(takeText(args, TARGETS), args) };
    case 'write':
      return { arg: takeText(args, TARGETS), ...takeBody(args) };
    case 'edit':
      for (const key of ['old_string', 'old_str', 'old_text', 'search']) renameKey(args, key, 'old');
      for (const key of ['new_string', 'new_str', 'new_text', 'replace']) renameKey(args, key, 'new');
      return { arg: takeText(args, TARGETS) };
    case 'glob':
      return { arg: joinGlob(takeText(args, PATTERNS.slice(1)), takeText(args, TARGETS)) };
    case 'grep':
      // The path of a search stays a keyword: the pattern is the argument.
      for (const key of TARGETS.slice(1)) renameKey(args, key, 'path');
      return { arg: takeText(args, PATTERNS) };
    default:
      // Keywords of a custom tool bind by name, whatever their order.
      return { arg: takeText(args, ['target']) };
  }
}

function takeText(args: Map<string, unknown>, keys: readonly string[]): string {
  for (const key of keys) {
    const value = args.get(key);
    if (typeof value !== 'string' && typeof value !== 'number') continue;
    args.delete(key);
    return String(value);
  }
  return '';
}

function takeBody(args: Map<string, unknown>): { readonly body?: string } {
  for (const key of CONTENT_NAMES) {
    const body = args.get(key);
    if (typeof body !== 'string') continue;
    args.delete(key);
    return { body };
  }
  return {};
}

function takeRange(target: string, args: Map<string, unknown>): string {
  const offset = toLineNumber(args.get('offset') ?? args.get('start_line'));
  const limit = toLineNumber(args.get('limit'));
  const last = toLineNumber(args.get('end_line'));
  if (target === '' || [offset, limit, last].includes('invalid')) return target;
  for (const key of ['offset', 'limit', 'start_line', 'end_line']) args.delete(key);
  if (offset === undefined && limit === undefined && last === undefined) return target;
  const first = (offset ?? 1) as number;
  const end = limit === undefined ? last : first + (limit as number) - 1;
  return `${target}:${first}-${end === undefined || end === -1 ? '' : end}`;
}

/** An integer from a number or its text; undefined for nothing. */
function toLineNumber(value: unknown): number | undefined | 'invalid' {
  if (value === undefined || value === null) return undefined;
  const number = typeof value === 'string' && value.trim() !== '' ? Number(value) : value;
  return Number.isSafeInteger(number) ? (number as number) : 'invalid';
}

function joinGlob(pattern: string, path: string): string {
  if (pattern === '' || path === '') return pattern + path;
  return path.endsWith('/') ? path + pattern : `${path}/${pattern}`;
}

function renameKey(args: Map<string, unknown>, from: string, to: string): void {
  if (!args.has(from) || args.has(to)) return;
  args.set(to, args.get(from));
  args.delete(from);
}

const SEARCH_LINE = /^\s*[<-]{5,9} ?SEARCH>?\s*$/;
const DIVIDER_LINE = /^\s*={5,9}\s*$/;
const REPLACE_LINE = /^\s*[>+]{5,9} ?REPLACE\s*$/;
/** Lines of some dialects between `SEARCH` and the text. */
const DETAIL_LINE = /^(?::(?:start|end)_line:.*|-{5,9}\s*)$/;

/** Takes a text of SEARCH and REPLACE blocks out of the arguments of an edit: pairs of old and new text. */
function takeDiff(args: Map<string, unknown>): readonly (readonly [old: string, replacement: string])[] | undefined {
  const diff = args.get('diff');
  if (typeof diff !== 'string') return undefined;
  const blocks: [string, string][] = [];
  let old: string[] | undefined;
  let replacement: string[] | undefined;
  for (const line of diff.split('\n')) {
    if (SEARCH_LINE.test(line)) [old, replacement] = [[], undefined];
    else if (old && !replacement && DIVIDER_LINE.test(line)) replacement = [];
    else if (old && replacement && REPLACE_LINE.test(line)) {
      blocks.push([old.join('\n'), replacement.join('\n')]);
      [old, replacement] = [undefined, undefined];
    } else if (replacement) replacement.push(line);
    else if (old && !(old.length === 0 && DETAIL_LINE.test(line))) old.push(line);
  }
  if (blocks.length === 0) return undefined;
  args.delete('diff');
  return blocks;
}
