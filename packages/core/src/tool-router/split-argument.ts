import type { ParamSpec, ToolSpec } from '../protocol/tool-definition.ts';

/** The arguments of a call as they were written. */
export interface SentArguments {
  /** The text after the tag's colon, or the value a run block passed. */
  readonly arg?: string | number | boolean | undefined;
  readonly kwargs?: Readonly<Record<string, unknown>> | undefined;
  /** The text between open and close tag. */
  readonly body?: string | undefined;
}

const IDENTIFIER = /^[\p{L}_][\p{L}\p{N}_-]*$/u;

/** The parameter that takes the tag's argument. */
export function getPrimaryParam(spec: ToolSpec): ParamSpec | undefined {
  return spec.params.find((param) => param.body !== true);
}

/**
 * The keywords at the end of an argument that a tool would take, and what is left of the argument.
 *
 * @param fields names that a JSON body gives a value
 */
export function splitArgument(
  spec: ToolSpec,
  { arg = '', kwargs = {} }: SentArguments,
  fields: ReadonlySet<string> = new Set(),
): SplitArgument {
  const primary = getPrimaryParam(spec);
  const declared = new Set(spec.params.map(({ name }) => name));
  const others = spec.params.filter((param) => param === primary || param.body === true);
  const given = new Set([...Object.keys(kwargs), ...fields]);
  const bound = new Set([...others.map(({ name }) => name), ...Object.keys(kwargs)]);
  return takeKeywords(String(arg), {
    isKeyword: (name) => !bound.has(name) && (declared.has(name) || acceptsName(spec, name)),
    first: primary?.name,
    mayBeEmpty: primary === undefined || 'default' in primary || given.has(primary.name),
  });
}

/** True for a name that is no parameter but accepted by a tool with open parameters. */
export function acceptsName(spec: ToolSpec, name: string): boolean {
  // Assigning to this name would replace an object's prototype.
  return spec.rest === true && name !== '__proto__' && IDENTIFIER.test(name);
}

/** What may be taken off an argument. */
interface KeywordRules {
  readonly isKeyword: (name: string) => boolean;
  /** True when the argument may consist of keywords alone. */
  readonly mayBeEmpty: boolean;
  /** The name of what the argument is a value of: `title="New title"` is `New title`. */
  readonly first?: string | undefined;
}

/** An argument, and the keywords that stood at its end. */
interface SplitArgument {
  readonly argument: string;
  /** Values as text, in the order they were written. */
  readonly keywords: ReadonlyMap<string, string>;
}

interface Token {
  readonly name: string;
  readonly value: string;
  /** Index of the name's first character. */
  readonly start: number;
}

/**
 * Takes `name=value` words off the end of an argument, each optionally preceded by a comma:
 * `import x, path="my lib" limit=10` is `import x` with `path` and `limit`.
 *
 * Works from the right and stops at the first word that is no keyword, or one that was already taken.
 * Takes time in proportion to the text.
 */
export function takeKeywords(text: string, { isKeyword, mayBeEmpty, first }: KeywordRules): SplitArgument {
  const taken = new Map<string, string>();
  let rest = text.trim();
  while (rest !== '') {
    const token = findLastToken(rest);
    if (token === undefined || taken.has(token.name) || !isKeyword(token.name)) break;
    if (token.start === 0 && !mayBeEmpty) break;
    taken.set(token.name, token.value);
    rest = removeSeparator(rest.slice(0, token.start));
  }
  return { argument: removeOwnName(rest, first), keywords: new Map([...taken].toReversed()) };
}

/** An argument without its own name. Only quotes show that the name is one: `a=b` may be searched for. */
function removeOwnName(argument: string, first: string | undefined): string {
  const token = isQuote(argument.at(-1)) ? parseQuotedToken(argument) : undefined;
  return token?.start === 0 && token.name === first ? token.value : argument;
}

function findLastToken(text: string): Token | undefined {
  // A text that ends in a quote is one quoted value or none: a word inside the quotes is no keyword.
  return isQuote(text.at(-1)) ? parseQuotedToken(text) : parseBareToken(text);
}

function parseQuotedToken(text: string): Token | undefined {
  const end = text.length - 1;
  const quote = text[end]!;
  if (end < 1 || isEscaped(text, end)) return undefined;
  let open = text.lastIndexOf(quote, end - 1);
  while (open > 0 && isEscaped(text, open)) open = text.lastIndexOf(quote, open - 1);
  if (open < 1 || text[open - 1] !== '=') return undefined;
  const start = findWordStart(text, open - 1);
  return { name: text.slice(start, open - 1), value: unescapeText(text.slice(open + 1, end)), start };
}

function parseBareToken(text: string): Token | undefined {
  const start = findWordStart(text, text.length);
  const word = text.slice(start);
  const equals = word.indexOf('=');
  if (equals < 1 || equals === word.length - 1 || isQuote(word[equals + 1])) return undefined;
  return { name: word.slice(0, equals), value: word.slice(equals + 1), start };
}

/** Index of the first character of the word that ends at an index. */
function findWordStart(text: string, end: number): number {
  let start = end;
  while (start > 0 && text[start - 1]!.trim() !== '') start--;
  return start;
}

/** The text before a keyword, without the blanks and the comma that separate them. */
function removeSeparator(text: string): string {
  const trimmed = text.trimEnd();
  return trimmed.endsWith(',') ? trimmed.slice(0, -1).trimEnd() : trimmed;
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
