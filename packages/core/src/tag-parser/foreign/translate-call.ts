import type { ParseProblem, ToolCall } from '../../protocol/tool-call.ts';
import { CONTENT_NAMES, getTagName } from '../../protocol/verbs.ts';
import type { TagName, TagNames } from '../names.ts';
import { createProblem } from '../problems.ts';
import { isArgumentMissing } from '../tag.ts';

/** Call with named arguments, as in the syntax of other tools. */
export interface NamedCall {
  readonly name: string;
  readonly args: Readonly<Record<string, unknown>>;
  /** Arguments without names, in order; JSON and XML have none. */
  readonly values?: readonly unknown[];
  /** True if the texts of the call were on lines of their own, between its elements. */
  readonly block?: boolean;
  /** Text between its tags, if that is not an argument with a name. */
  readonly body?: string;
  readonly form?: 'json';
  /** Offset in the text at which it begins. */
  readonly at: number;
  /** Offset after it; absent in JSON. */
  readonly end?: number;
  /** Text of the call, if it is not that between the offsets. */
  readonly source?: string;
}

/** Start of a block in a text. */
export interface BlockStart {
  readonly text: string;
  readonly names: TagNames;
  /** Offset of the first character of the block that is not blank. */
  readonly start: number;
  /** Number of that line, from 1. */
  readonly line: number;
  /** True if the text has a call before the block. */
  readonly isAfterCall: boolean;
  /** Finds a closing tag from an offset on; returns -1 if there is none. */
  readonly findClosing: (closing: string, from: number) => number;
  /** Returns true if an element that may be an argument follows an offset. */
  readonly hasArgumentBehind: (offset: number) => boolean;
}

/** Calls and problems of a text in another call syntax. */
export type Translation = readonly (ToolCall | ParseProblem)[];

const NAMES_BY_VERB: Readonly<Record<string, readonly string[]>> = {
  read: ['read_file', 'view_file', 'open_file', 'view', 'cat'],
  write: ['write_to_file', 'write_file', 'create_file', 'create'],
  edit: ['edit_file', 'replace_in_file', 'str_replace', 'apply_diff', 'MultiEdit', 'multi_edit'],
  grep: ['search_files', 'grep_search', 'search', 'ripgrep', 'rg'],
  glob: ['list_files', 'list_dir', 'list_directory', 'ls', 'LS', 'find_files', 'file_search', 'find'],
};
const FOREIGN_NAMES = new Map(
  Object.entries(NAMES_BY_VERB).flatMap(([verb, names]) => names.map((name) => [name, verb])),
);

const LISTINGS: ReadonlySet<string> = new Set(['list_files', 'list_dir', 'list_directory', 'ls', 'LS']);
/** Names of tools that do the work of several, selected by the argument `command`. */
const TEXT_EDITORS: ReadonlySet<string> = new Set(['str_replace_editor', 'str_replace_based_edit_tool', 'text_editor']);
const NAME_PREFIX = /^(?:functions|default_api|tools?)\./;

const TARGETS = ['target', 'file_path', 'path', 'filePath', 'filename', 'file', 'dir_path', 'directory', 'uri'];
/** Temporary name of the first argument of a custom tool: no named argument has this name. */
const FIRST = '';
const PATTERNS = ['target', 'pattern', 'query', 'regex', 'search'];
const POSITIONS: Readonly<Record<string, readonly string[]>> = {
  read: ['target', 'offset', 'limit'],
  write: ['target', 'content'],
  edit: ['target', 'old', 'new'],
  glob: ['pattern', 'path'],
  grep: ['pattern', 'path'],
};

/** Returns the names by which other frameworks call the tool of a verb. */
export function listForeignNames(verb: string): readonly string[] {
  return Object.hasOwn(NAMES_BY_VERB, verb) ? NAMES_BY_VERB[verb]! : [];
}

/**
 * Returns the verb or tool that is meant by a name from another framework: `Read`, `read_file`, `functions.read`,
 * `mcp__github__create_issue`; undefined if there is none.
 */
export function resolveForeignName(written: string, names: TagNames): TagName | undefined {
  const name = written.replace(NAME_PREFIX, '');
  const known = names.resolve(name) ?? names.resolve(name.replace(/^mcp__/, '').replaceAll('__', '.'));
  if (known) return known;
  const verb = FOREIGN_NAMES.get(name);
  return verb === undefined ? undefined : { verb, space: undefined };
}

/** Returns true if a name from another framework means a tool. */
export function isForeignName(written: string, names: TagNames): boolean {
  return TEXT_EDITORS.has(written) || resolveForeignName(written, names) !== undefined;
}

/** Returns true for the name of a call that enters a place. */
export function isEntryName(name: string): boolean {
  return ENTRIES.has(name);
}

/** Returns true if a call of a name is translated: that of a tool, or `go` to a place. */
export function isCallable(written: string, names: TagNames): boolean {
  return isForeignName(written, names) || isEntryName(written);
}

/**
 * Translates a call such as `Read` with `{ file_path: 'a.py' }` into one of the tag protocol; returns undefined if no
 * tool has its name. Arguments that have a place in a tag are put there; the others stay keywords.
 *
 * @param line the number of the line on which it begins, from 1
 */
export function translateCall(call: NamedCall, names: TagNames, line: number): Translation | undefined {
  if (TEXT_EDITORS.has(call.name)) return translateEditor(call, names, line);
  const known = resolveForeignName(call.name, names);
  if (!known) return translateEntry(call, line);
  const keywords = new Map(Object.entries(call.args));
  const mayList = LISTINGS.has(call.name);
  const positions = mayList ? ['path'] : (POSITIONS[known.verb] ?? [FIRST]);
  for (const [index, value] of (call.values ?? []).entries()) {
    const key = positions[index];
    if (key === undefined || keywords.has(key)) return undefined;
    keywords.set(key, value);
  }
  const isListing = mayList && known.verb === 'glob' && !PATTERNS.some((key) => keywords.has(key));
  const verb = isListing ? translateListing(keywords) : known.verb;
  const edits = verb === 'edit' ? takeDiff(keywords) : [[]];
  return edits.map((texts) => makeForeignCall({ ...known, verb }, new Map([...keywords, ...texts]), { ...call, line }));
}

/** Names by which places are entered in calls. */
const ENTRIES: ReadonlySet<string> = new Set(['go', 'goto', 'enter']);
const PLACE = /^[\p{L}_][\p{L}\p{N}_.-]*$/u;
const NOWHERE = 'place';
const PLACE_KEYS = ['place', 'space', 'to', 'name', 'location', 'target', 'path', 'where'];

/** Translates a call of `go` with one place, known or not: what comes after it was meant to run there. */
function translateEntry({ name, args, values = [] }: NamedCall, line: number): Translation | undefined {
  const key = PLACE_KEYS.find((one) => Object.hasOwn(args, one));
  const [given, ...others] = key === undefined ? [...values, ...Object.values(args)] : [args[key]];
  // Without a place, the move fails like one to a place that does not exist, and names those that do.
  const place = typeof given === 'string' && given !== '' ? given.trim().replace(/^@|\(\)$/g, '') : NOWHERE;
  if (!isEntryName(name) || others.length > 0 || !PLACE.test(place)) return undefined;
  return [{ verb: 'go', arg: place, line, tag: `@${place}()` }];
}

function makeForeignCall(
  { verb, space }: TagName,
  keywords: Map<string, unknown>,
  { line, form, block = false, body: between }: Pick<NamedCall, 'block' | 'form' | 'body'> & Pick<ToolCall, 'line'>,
): ToolCall | ParseProblem {
  const arg = takeArgument(verb, keywords) ?? '';
  const body = verb === 'write' ? takeText(keywords, CONTENT_NAMES, ['string']) : between;
  const prefix = space === undefined ? '' : `${space}.`;
  // A custom tool gets its target by name, and is recognized by it.
  const target = keywords.get('target');
  const shown = arg === '' && typeof target === 'string' && /^.{1,200}$/.test(target) ? target : arg;
  const tag = `<${prefix}${getTagName(verb)}:${shown}>`;
  // Of a call in JSON, the router says what is missing, in JSON.
  if (keywords.size === 0 && form !== 'json' && isArgumentMissing({ verb, arg })) {
    return createProblem('empty-arg', line, { verb, text: tag }, 'tag');
  }
  return {
    verb,
    arg,
    ...(body !== undefined && { body, ...(block && { block }) }),
    ...(keywords.size > 0 && { kwargs: Object.fromEntries(keywords) }),
    ...(space !== undefined && { space }),
    ...(form !== undefined && { form }),
    line,
    tag,
  };
}

/** Translates a call of a tool that views, creates and changes files, depending on its argument `command`. */
function translateEditor(call: NamedCall, names: TagNames, line: number): Translation | undefined {
  const { command, view_range: range, insert_line: after, insert_text: inserted, ...args } = call.args;
  if (command === 'insert' && Number.isSafeInteger(Number(after))) {
    const path = `${String(args['path'])}:${Math.max(Number(after), 1)}`;
    const side = Number(after) === 0 ? { before: true } : { after: true };
    const content = inserted ?? args['new_str'];
    return translateCall({ ...call, name: 'edit', args: { path, ...side, content } }, names, line);
  }
  if (command !== 'view' && command !== 'create' && command !== 'str_replace') return undefined;
  const lines = Array.isArray(range) ? { start_line: range[0] as unknown, end_line: range[1] as unknown } : {};
  return translateCall({ ...call, name: command, args: { ...args, ...lines } }, names, line);
}

/** Turns the listing of a folder into a read of it, or a glob if it is recursive; returns the verb. */
function translateListing(keywords: Map<string, unknown>): string {
  const isRecursive = String(keywords.get('recursive')) === 'true';
  keywords.delete('recursive');
  if (!isRecursive) return 'read';
  keywords.set('pattern', '**');
  return 'glob';
}

function takeArgument(verb: string, args: Map<string, unknown>): string | undefined {
  switch (verb) {
    case 'read':
      return takeRange(takeText(args, TARGETS), args);
    case 'edit':
      renameKey(args, ['old_string', 'old_str', 'old_text', 'search'], 'old');
      renameKey(args, ['new_string', 'new_str', 'new_text', 'replace'], 'new');
      renameKey(args, ['replace_all'], 'every');
      return takeText(args, TARGETS);
    case 'write':
      args.delete('line_count');
      return takeText(args, TARGETS);
    case 'glob':
      return joinGlob(takeText(args, PATTERNS.slice(1)), takeText(args, TARGETS));
    case 'grep':
      // The path of a search stays a keyword: the pattern is the argument.
      renameKey(args, TARGETS.slice(1), 'path');
      takeFilePattern(args);
      return takeText(args, PATTERNS);
    default:
      // Keywords of a custom tool are assigned by name, whatever their order.
      if (typeof args.get(FIRST) === 'object') renameKey(args, [FIRST], 'target');
      return takeText(args, [FIRST]);
  }
}

/** Removes the first of several arguments whose value has one of the types, and returns it as text. */
function takeText(
  args: Map<string, unknown>,
  keys: readonly string[],
  types: readonly string[] = ['string', 'number'],
): string | undefined {
  const key = keys.find((one) => types.includes(typeof args.get(one)));
  if (key === undefined) return undefined;
  const value = args.get(key);
  args.delete(key);
  return String(value);
}

function takeRange(target: string | undefined, args: Map<string, unknown>): string | undefined {
  const key = RANGES.find((one) => args.has(one));
  const [from, to] = key === undefined ? [] : readRange(args.get(key));
  if (key !== undefined && from !== undefined) {
    args.delete(key);
    args.set('start_line', from).set('end_line', to ?? from);
  }
  const offset = toLineNumber(args.get('offset') ?? args.get('start_line'));
  const limit = toLineNumber(args.get('limit'));
  const last = toLineNumber(args.get('end_line'));
  if (!target || offset === 'invalid' || limit === 'invalid' || last === 'invalid') return target;
  for (const key of ['offset', 'limit', 'start_line', 'end_line']) args.delete(key);
  if (offset === undefined && limit === undefined && last === undefined) return target;
  const first = offset ?? 1;
  const end = limit === undefined ? last : first + limit - 1;
  return `${target}:${first}-${end === undefined || end === -1 ? '' : end}`;
}

const RANGES = ['line_range', 'lines', 'range'];

/** Reads `"10-20"`, `"10"`, `10` or `[10, 20]`. */
function readRange(value: unknown): readonly unknown[] {
  if (typeof value === 'number') return [value];
  if (Array.isArray(value)) return value.length <= 2 ? value : [];
  return typeof value === 'string' ? (/^\s*(\d+)\s*(?:[-,:]\s*(\d+)\s*)?$/.exec(value) ?? []).slice(1) : [];
}

/** Returns an integer from a number or its text; undefined for an absent value. */
function toLineNumber(value: unknown): number | undefined | 'invalid' {
  if (value === undefined || value === null) return undefined;
  const number = typeof value === 'string' && value.trim() !== '' ? Number(value) : value;
  return Number.isSafeInteger(number) ? (number as number) : 'invalid';
}

/** Joins the folder of a search and the pattern of its files, which is matched at any depth. */
function takeFilePattern(args: Map<string, unknown>): void {
  const folder = args.get('path') ?? '';
  const files = takeText(args, ['file_pattern', 'include_pattern', 'include'], ['string']);
  if (files === undefined || typeof folder !== 'string') return;
  const isAll = files === '' || files === '*' || files === '**';
  const pattern = joinGlob(files.includes('/') ? files : `**/${files}`, folder === '.' ? '' : folder);
  if (!isAll) args.set('path', pattern);
}

function joinGlob(pattern = '', path = ''): string {
  if (pattern === '' || path === '') return pattern + path;
  return path.endsWith('/') ? path + pattern : `${path}/${pattern}`;
}

/** Renames the first of several arguments that exists, unless the new name is already used. */
function renameKey(args: Map<string, unknown>, keys: readonly string[], to: string): void {
  const from = keys.find((key) => args.has(key));
  if (from === undefined || args.has(to)) return;
  args.set(to, args.get(from));
  args.delete(from);
}

const SEARCH_LINE = /^\s*[<-]{5,9} ?SEARCH>?\s*$/;
const DIVIDER_LINE = /^\s*={5,9}\s*$/;
const REPLACE_LINE = /^\s*[>+]{5,9} ?REPLACE\s*$/;
/** Lines that some dialects put between `SEARCH` and the text. */
const DETAIL_LINE = /^(?::(?:start|end)_line:.*|-{5,9}\s*)$/;

type Texts = readonly (readonly [name: string, value: unknown])[];

/**
 * Removes a text of SEARCH and REPLACE blocks, or a list of edits, from the arguments of an edit, and returns the old
 * and new text of each edit.
 */
function takeDiff(args: Map<string, unknown>): readonly Texts[] {
  const diff = args.get('diff');
  const listed = args.get('edits');
  if (Array.isArray(listed) && listed.length > 0 && listed.every((one) => typeof one === 'object' && one !== null)) {
    args.delete('edits');
    return listed.map((one: object) => Object.entries(one));
  }
  const edits: Texts[] = [];
  let old: string[] | undefined;
  let replacement: string[] | undefined;
  for (const line of typeof diff === 'string' ? diff.split('\n') : []) {
    if (SEARCH_LINE.test(line)) [old, replacement] = [[], undefined];
    else if (old && !replacement && DIVIDER_LINE.test(line)) replacement = [];
    else if (old && replacement && REPLACE_LINE.test(line)) {
      edits.push(Object.entries({ old: old.join('\n'), new: replacement.join('\n') }));
      [old, replacement] = [undefined, undefined];
    } else if (replacement) replacement.push(line);
    else if (old && !(old.length === 0 && DETAIL_LINE.test(line))) old.push(line);
  }
  if (edits.length > 0) args.delete('diff');
  return edits.length > 0 ? edits : [[]];
}
