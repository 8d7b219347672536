import { findNearestName } from '../nearest-name/nearest-name.ts';
import { NEAR_MISS_MIN } from '../protocol/limits.ts';
import type { ParamSpec, ToolSpec } from '../protocol/tool-definition.ts';
import { unicodePattern } from '../tool-spec/plain-text.ts';
import { parseJson, parseJsonObject } from '../tag-parser/foreign/json-calls.ts';
import { findVerb } from '../protocol/verbs.ts';

/** The arguments of a call as they were written. */
export interface SentArguments {
  /** The text after the tag's colon, or the value a run block passed. */
  readonly arg?: string | number | boolean | undefined;
  readonly kwargs?: Readonly<Record<string, unknown>> | undefined;
  /** Text between the opening and closing tag. */
  readonly body?: string | undefined;
  /** Text of the call in another notation. */
  readonly source?: string | undefined;
  /** The notation of the call. Default: a tag. */
  readonly form?: 'json' | undefined;
  /** True for values that code passed, whose texts are not to be read as numbers or JSON. */
  readonly isData?: boolean | undefined;
}

const IDENTIFIER = unicodePattern(String.raw`^[\p{L}_][\p{L}\p{N}_-]*$`);
const NAME_AND_MARK = unicodePattern(String.raw`^([\p{L}_][\p{L}\p{N}_-]*)(=|: )`);
const ASSIGNMENT = unicodePattern(String.raw`^\s*([\p{L}_][\p{L}\p{N}_-]*)\s*=`);
const NAME_WITH_COLON = unicodePattern(String.raw`^(\s*)([\p{L}_][\p{L}\p{N}_-]*):\s+(\S[^]*)$`);

/** Returns the parameter that gets the tag's argument. */
export function getPrimaryParam(spec: ToolSpec): ParamSpec | undefined {
  return spec.params.find((param) => param.body !== true);
}

interface SplitArgument {
  readonly argument: string;
  /** Values as text, or parsed if they are JSON, in the order in which they were written. */
  readonly keywords: ReadonlyMap<string, unknown>;
  /** Names that are not parameters, each with the parameter that was probably meant, and its value. */
  readonly misspelt: ReadonlyMap<string, Misspelt>;
  /** The parameter whose value has several words but no quotes. */
  readonly unquoted: string | undefined;
  /** What looks like a keyword, but is no parameter and therefore part of the argument. */
  readonly literal?: LiteralKeyword;
}

/** A keyword that no parameter has, in an argument. */
export interface LiteralKeyword {
  readonly name: string;
  /** The argument without it. */
  readonly without: string;
}

interface Misspelt {
  readonly meant: string;
  readonly value: unknown;
}

interface Token {
  readonly name: string;
  readonly value: unknown;
  /** Index of the name's first character. */
  readonly start: number;
}

/**
 * Removes `name=value` words from the end of an argument if the tool accepts them, each optionally preceded by a comma:
 * `import x, path="my lib" limit=10` is `import x` with `path` and `limit`. After a comma, or as the whole
 * argument, `name: value` is equivalent.
 *
 * Works from the right and stops at the first word that is not a keyword, or that repeats one. A word that is probably
 * a misspelt keyword is recorded as misspelt. Takes time in proportion to the text.
 *
 * @param fields names that get a value from a JSON body
 */
export function splitArgument(
  spec: ToolSpec,
  { arg = '', kwargs = {} }: SentArguments,
  fields: ReadonlySet<string> = new Set(),
): SplitArgument {
  const primary = getPrimaryParam(spec);
  const first = primary?.name;
  const names = spec.params.map(({ name }) => name);
  const body = spec.params.find((param) => param.body === true);
  const bound = new Set([first, body?.name, ...Object.keys(kwargs)]);
  const isGiven = first !== undefined && (Object.hasOwn(kwargs, first) || fields.has(first));
  const mayBeEmpty = primary === undefined || 'default' in primary || isGiven;
  const needed = spec.params.filter((param) => !('default' in param) && !bound.has(param.name)).map(({ name }) => name);
  const isKeyword = (name: string) => !bound.has(name) && (names.includes(name) || acceptsName(spec, name));

  // A target is often called by what it is.
  const isFirst = (name: string) =>
    name === first || (first === 'target' && !names.includes(name) && TARGETS.has(name.toLowerCase()));
  const isOwnName = (name: string) => name === first || isKeyword(name);
  const isEdit = names.includes('old') && names.includes('new');
  const isCode = CODE.has(first ?? '');
  const isSearch = spec.name === 'grep';
  const isAnyText = isSearch || isCode;
  const endsWithKeyword = (text: string) => {
    const last = findLastToken(removeSeparator(text));
    return last !== undefined && last.start > 0 && isKeyword(last.name);
  };
  // An unknown one beside a keyword, or behind a number, is not text, except in code and in front of one in a search.
  const isNumber = primary !== undefined && NUMBERS.has(primary.type);
  const isNoText = (before: string, isAssigned: boolean) =>
    isNumber ||
    (!isSearch && beginsWithKeyword(before, isOwnName)) ||
    (isAssigned && !isCode && (endsWithKeyword(before) || (!isSearch && taken.size > 0)));

  const taken = new Map<string, unknown>();
  const misspelt = new Map<string, Misspelt>();
  const isOpen = (name: string) => !taken.has(name) && !fields.has(name);
  const whole = String(arg).trim();
  let rest = whole;
  let literal: LiteralKeyword | undefined;
  while (rest !== '') {
    const { name, value, start } = findLastToken(rest) ?? (isEdit ? parseTextToken(rest) : undefined) ?? {};
    if (name === undefined || taken.has(name)) break;
    const before = rest.slice(0, start);
    if (isKeyword(name)) {
      // The first parameter may be given by name before the others.
      if (start === 0 && isSearch && !mayBeEmpty && !taken.has(first ?? '')) break;
      taken.set(name, value);
    } else if (isFirst(name) && (start === 0 || beginsWithKeyword(before, isKeyword))) {
      taken.set(first!, value);
    } else if (name === first && !isAnyText && rest[start! + name.length] === '=') {
      // Text before it is another value of the same parameter.
      taken.set(name, value);
    } else {
      const isUnknown = spec.rest !== true && !names.includes(name) && IDENTIFIER().test(name);
      const isAssigned = rest[before.length + name.length] === '=';
      // `CC=clang` is a variable, and `Note: buy milk` a title.
      const mayBeText = start === 0 ? isSearch || !isAssigned : isCode && name === name.toUpperCase();
      const meant = isUnknown && !mayBeText ? findMeant(name, names, needed.filter(isOpen)) : undefined;
      if (meant !== undefined) misspelt.set(name, { meant, value });
      else if (isUnknown && start !== 0 && isNoText(before, isAssigned)) taken.set(name, value);
      else {
        if (isUnknown && isAssigned && !isCode)
          literal = { name, without: `${before.trimEnd()}${whole.slice(rest.length)}`.trim() };
        break;
      }
    }
    rest = removeSeparator(before);
  }
  const keywords = new Map([...taken].toReversed());
  const named = first === undefined ? undefined : keywords.get(first);
  if (rest === '' && typeof named === 'string' && named !== '') {
    keywords.delete(first!);
    return { argument: named, keywords, misspelt, unquoted: undefined };
  }
  // Most arguments have no mark, and the pattern is slow to compile.
  const [, start, mark] = (/[=:]/.test(rest) && NAME_AND_MARK().exec(rest)) || [];
  const isName = start !== undefined && (start === first || (mark === '=' && isKeyword(start)));
  const isUnknown = start !== undefined && mark === '=' && !isAnyText && spec.rest !== true && !names.includes(start);
  const meant = isUnknown ? findMeant(start, names) : undefined;
  if (meant !== undefined) {
    misspelt.set(start!, { meant, value: rest.slice(start!.length + 1).trim() });
    return { argument: '', keywords, misspelt, unquoted: undefined };
  }
  // The argument of grep may be text to search for.
  const unquoted = isName && !isSearch ? start : undefined;
  return { argument: rest, keywords, misspelt, unquoted, ...(literal && { literal }) };
}

const NUMBERS: ReadonlySet<string> = new Set(['int', 'number', 'boolean']);

/** Names of first parameters whose values may contain assignments of their own. */
const CODE = new Set(['command', 'code', 'script', 'sql']);

function beginsWithKeyword(text: string, isKeyword: (name: string) => boolean): boolean {
  const name = ASSIGNMENT().exec(text)?.[1];
  return name !== undefined && isKeyword(name);
}

function findLastToken(text: string): Token | undefined {
  // Text that ends in a quote is one quoted value or none: a word inside the quotes is not a keyword.
  const findWithEquals = isQuote(text.at(-1)) ? parseQuotedToken : parseBareToken;
  return findTokenWithJson(text) ?? findWithEquals(text) ?? findTokenWithColon(text);
}

/** Names that are often used for a target. */
const TARGETS = new Set(['path', 'file', 'filename', 'file_path', 'filepath', 'dir', 'directory', 'folder']);

/** Names that are often used instead of another one. */
const SYNONYMS: ReadonlyMap<string, readonly string[]> = new Map(
  Object.entries({
    path: ['dir', 'directory', 'file', 'folder', 'glob', 'in', 'include', 'within'],
    pattern: ['query', 'regex'],
    limit: ['max', 'count'],
    content: ['body', 'text'],
    to: ['name', 'new', 'new_name', 'newname', 'as', 'into', 'dest', 'destination', 'new_path'],
  }),
);

/**
 * Finds the parameter that was probably meant by a name that is not a parameter.
 *
 * @param needed parameters that still need a value: one of them is also meant by a word of its name, as `sheetName` by
 *   `sheet`
 */
export function findMeant(name: string, names: readonly string[], needed: readonly string[] = []): string | undefined {
  const synonym = names.find((one) => SYNONYMS.get(one)?.includes(name.toLowerCase()));
  const [only, ...others] = needed.filter((one) => listNameParts(one).includes(name.toLowerCase()));
  return synonym ?? findNearestName(name, names, NEAR_MISS_MIN) ?? (others.length === 0 ? only : undefined);
}

function listNameParts(name: string): readonly string[] {
  return name.split(/[_-]|(?<=[a-z0-9])(?=[A-Z])/).map((word) => word.toLowerCase());
}

/** Tests whether a name is not a parameter but accepted by a tool with open parameters. */
export function acceptsName(spec: ToolSpec, name: string): boolean {
  // Assigning to this name would replace the prototype of an object.
  return spec.rest === true && name !== '__proto__' && IDENTIFIER().test(name);
}

/** Finds `name: value` after the last comma, or as the whole text. */
function findTokenWithColon(text: string): Token | undefined {
  const start = text.lastIndexOf(',') + 1;
  if (!text.includes(':', start)) return undefined;
  const [, before = '', name, value] = NAME_WITH_COLON().exec(text.slice(start, start + 2000)) ?? [];
  if (name === undefined || value === undefined || text.length - start > 2000) return undefined;
  const isQuoted = value.length > 1 && isQuote(value[0]) && value.indexOf(value[0]!, 1) === value.length - 1;
  return { name, value: isQuoted ? value.slice(1, -1) : value, start: start + before.length };
}

/** Finds `name={…}` or `name=[…]` with JSON. */
function findTokenWithJson(text: string): Token | undefined {
  const close = text.at(-1);
  if (close !== '}' && close !== ']') return undefined;
  const open = close === '}' ? '={' : '=[';
  for (let at = text.lastIndexOf(open), tries = 0; at > 0 && tries < 20; at = text.lastIndexOf(open, at - 1), tries++) {
    const value = parseJson(text.slice(at + 1));
    // Brackets inside the value come first.
    if (value === undefined) continue;
    const start = findWordStart(text, at);
    return { name: text.slice(start, at), value, start };
  }
  return undefined;
}

function parseQuotedToken(text: string): Token | undefined {
  const end = text.length - 1;
  const quote = text[end]!;
  if (end < 1 || isEscaped(text, end)) return undefined;
  let open = text.lastIndexOf(quote, end - 1);
  while (open > 0 && isEscaped(text, open)) open = text.lastIndexOf(quote, open - 1);
  if (open < 1 || text[open - 1] !== '=') return undefined;
  const start = findWordStart(text, open - 1);
  const name = text.slice(start, open - 1);
  const raw = text.slice(open + 1, end);
  // In the texts of an edit, a backslash belongs to the code.
  const isCode = name === 'old' || name === 'new';
  return { name, value: isCode ? raw.replaceAll(`\\${quote}`, quote) : unescapeText(raw), start };
}

/**
 * Parses the text of an edit that has its own quotes inside: `new="say "yes" twice"` ends at its last quote. A wrong end
 * does no harm, since the old text has to be in the file exactly once.
 */
function parseTextToken(text: string): Token | undefined {
  const quote = text.at(-1);
  if (!isQuote(quote)) return undefined;
  const start = Math.max(text.lastIndexOf(` old=${quote}`), text.lastIndexOf(` new=${quote}`)) + 1;
  const open = start + 'old='.length;
  if (start === 0 || open >= text.length - 1) return undefined;
  const value = text.slice(open + 1, -1).replaceAll(`\\${quote}`, quote!);
  return { name: text.slice(start, open - 1), value, start };
}

function parseBareToken(text: string): Token | undefined {
  const start = findWordStart(text, text.length);
  const word = text.slice(start);
  const equals = word.indexOf('=');
  if (equals < 1 || equals === word.length - 1 || isQuote(word[equals + 1])) return undefined;
  return { name: word.slice(0, equals), value: word.slice(equals + 1), start };
}

/** Finds the index of the first character of the word that ends at an index. */
function findWordStart(text: string, end: number): number {
  let start = end;
  while (start > 0 && text[start - 1]!.trim() !== '') start--;
  return start;
}

/** Removes the whitespace and the comma before a keyword; two commas are not a separator. */
function removeSeparator(text: string): string {
  const trimmed = text.trimEnd();
  return /(?:^|[^,]),$/.test(trimmed) ? trimmed.slice(0, -1).trimEnd() : trimmed;
}

function isQuote(char: string | undefined): boolean {
  return char === '"' || char === "'";
}

function isEscaped(text: string, index: number): boolean {
  let slashes = 0;
  while (text[index - 1 - slashes] === '\\') slashes++;
  return slashes % 2 === 1;
}

const CONTROLS: Readonly<Record<string, string>> = { n: '\n', r: '\r', t: '\t' };

function unescapeText(text: string): string {
  return text.replace(/\\([\s\S])/g, (_, char: string) => CONTROLS[char] ?? char);
}

type Entries = readonly (readonly [name: string, value: unknown])[];

/** Lists the parameters that get values from a body; returns undefined if the tool cannot use the body. */
export function listBodyEntries(
  spec: ToolSpec,
  content: ParamSpec | undefined,
  { body, source = '' }: SentArguments,
): Entries | undefined {
  if (body === undefined) return [];
  if (content !== undefined) {
    // Between XML tags, JSON with the names of parameters is the usual form of arguments, except of a file.
    const fields = source.startsWith('<') && findVerb(spec.name) === undefined ? parseJsonObject(body) : undefined;
    const given = Object.entries(fields ?? {});
    const areArguments = given.length > 0 && given.every(([name]) => spec.params.some((param) => param.name === name));
    return areArguments ? given : [[content.name, body]];
  }
  // A write always has a closing tag, even if the tool takes nothing between its tags.
  if (body.trim() === '') return [];
  const fields = parseJsonObject(body);
  return fields && Object.entries(fields);
}

/** A pattern and the path to search; `path` is null to search everywhere. */
export interface SplitGrep {
  readonly pattern: string;
  readonly path: string | null;
}

/**
 * Removes the path from the end of a search: `"import x" in src`, or `TODO src` and `TODO in src` when `src` exists.
 *
 * @param exists returns whether a path exists
 */
export function splitGrep(arg: string, exists: (path: string) => boolean): SplitGrep {
  const whole = arg.trim();
  return splitQuoted(whole, exists) ?? splitLastWord(whole, exists);
}

function splitQuoted(whole: string, exists: (path: string) => boolean): SplitGrep | undefined {
  const mark = whole.charAt(0);
  if (mark !== '"' && mark !== "'" && mark !== '`') return undefined;
  const end = findQuoteEnd(whole, mark);
  if (end === -1) return undefined;
  const pattern = whole.slice(1, end);
  const rest = whole.slice(end + 1).trim();
  const path = unquote(rest.replace(/^in\s+/, ''));
  if (path === '') return { pattern, path: null };
  // Several words that are not a path belong to the pattern: `"a" or "b"`.
  return /\s/.test(path) && !exists(path) ? undefined : { pattern, path };
}

/** Finds the quote that ends a quoted pattern: the next one that is followed by a space or nothing. */
function findQuoteEnd(whole: string, mark: string): number {
  let end = whole.indexOf(mark, 2);
  while (end !== -1 && end + 1 < whole.length && !/\s/.test(whole.charAt(end + 1))) end = whole.indexOf(mark, end + 1);
  return end;
}

function splitLastWord(whole: string, exists: (path: string) => boolean): SplitGrep {
  const words = /^(.*\S)\s+(\S+)$/s.exec(whole);
  const path = words?.[2];
  if (!words || path === undefined || !exists(path)) return { pattern: whole, path: null };
  return { pattern: words[1]!.replace(/(?<!\s)\s+in$/, ''), path };
}

function unquote(path: string): string {
  const mark = path.charAt(0);
  const isQuoted = path.length > 1 && (mark === '"' || mark === "'" || mark === '`') && path.endsWith(mark);
  return isQuoted ? path.slice(1, -1) : path;
}
