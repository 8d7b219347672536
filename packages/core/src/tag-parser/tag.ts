import type { ToolCall } from '../protocol/tool-call.ts';
import { findNameEnd, findQuote, isNamePart } from './characters.ts';
import type { TagName, TagNames } from './names.ts';

/** One tag in its line. */
export interface Tag extends TagName {
  /** The name as typed: `W`, `Write`, `source.read`. */
  readonly written: string;
  readonly arg: string;
  /** The tag as written, without its body. */
  readonly text: string;
  /** Text up to a closing tag on the same line. */
  readonly body?: string;
  /** True when the tag ends in ` />`: it has no body unless a closing tag of its own follows. */
  readonly isSelfClosed: boolean;
}

/** The start of a tag, `<name:`, and how far its argument may go. */
export interface TagHead extends TagName {
  readonly written: string;
  readonly start: number;
  /** Index behind the colon. */
  readonly argStart: number;
  /** Index of the `>` that ends the argument; -1 when there is none or a `<` comes first, both outside of quotes. */
  readonly argEnd: number;
  /** The quote of a value that does not end on the line. */
  readonly openQuote: string | undefined;
}

/** A closing tag, `</W>` or labelled `</W:notes.md>`, and its place in the line. */
export interface ClosingTag {
  readonly written: string;
  /** The raw argument behind the colon; absent when there is none. */
  readonly label?: string;
  readonly start: number;
  /** Index behind its `>`. */
  readonly end: number;
}

const BODYLESS: ReadonlySet<string> = new Set(['read', 'glob', 'grep']);
const NEEDS_ARGUMENT: ReadonlySet<string> = new Set(['write', 'edit', 'glob', 'grep']);

/** True when tags of a verb may have a body: write, edit and every custom tool. */
export function canHaveBody(verb: string): boolean {
  return !BODYLESS.has(verb);
}

/** True when a tag has no argument and its verb needs one. */
export function isArgumentMissing({ verb, arg }: Pick<Tag, 'verb' | 'arg'>): boolean {
  return arg === '' && NEEDS_ARGUMENT.has(verb);
}

/** Text between a tag and a closing tag on a later line. */
export interface TagBody {
  readonly text: string;
  /** True when the tag stands alone on its line. */
  readonly block: boolean;
}

/** Makes the call of a tag. An edit whose inline body is empty has no body: it only shows. */
export function makeCall(tag: Tag, line: number, lines?: TagBody): ToolCall {
  const { verb, arg, space, text } = tag;
  const inline = tag.body === undefined || (verb === 'edit' && tag.body === '') ? undefined : tag.body;
  const body = lines ?? (inline === undefined ? undefined : { text: inline, block: false });
  return {
    verb,
    arg,
    ...(body && { body: body.text, block: body.block }),
    line,
    tag: text,
    ...(space !== undefined && { space }),
  };
}

/** Reads `<name:` at an index of a line; undefined when there is none or the name is unknown. */
export function readTagHead(line: string, at: number, names: TagNames): TagHead | undefined {
  if (line.charAt(at) !== '<') return undefined;
  const colon = findNameEnd(line, at + 1);
  if (line.charAt(colon) !== ':') return undefined;
  const written = line.slice(at + 1, colon);
  const name = names.resolve(written);
  if (!name) return undefined;
  const { verb, space } = name;
  const argStart = colon + 1;
  const { end, openQuote } = findArgumentEnd(line, argStart);
  return { verb, space, written, start: at, argStart, argEnd: line.charAt(end) === '>' ? end : -1, openQuote };
}

/** Completes a tag whose argument ends before the `>` at an index. */
export function completeTag(line: string, head: TagHead, end: number): Tag {
  const { verb, space, written, start, argStart } = head;
  const raw = line.slice(argStart, end);
  const text = line.slice(start, end + 1);
  return { verb, space, written, arg: cleanArgument(verb, raw), text, isSelfClosed: raw.endsWith(' /') };
}

/**
 * Trims an argument. For every verb but grep, also removes one pair of quotes around it and the ` /` that
 * closes an XML element.
 */
export function cleanArgument(verb: string, raw: string): string {
  const trimmed = raw.trim();
  if (verb === 'grep') return trimmed;
  const open = trimmed.endsWith(' /') ? trimmed.slice(0, -2).trimEnd() : trimmed;
  return isQuoted(open) ? open.slice(1, -1) : open;
}

function isQuoted(text: string): boolean {
  const mark = text.charAt(0);
  if (text.length < 2 || (mark !== '"' && mark !== "'" && mark !== '`')) return false;
  // A second quote inside means that first and last are not a pair: `"a" "b"`.
  return text.indexOf(mark, 1) === text.length - 1;
}

/** Reads the closing tag that begins exactly at an index, whatever its name. */
export function readClosingTag(line: string, at: number): ClosingTag | undefined {
  if (!line.startsWith('</', at)) return undefined;
  const nameEnd = findNameEnd(line, at + 2);
  const written = line.slice(at + 2, nameEnd);
  if (written === '') return undefined;
  if (line.charAt(nameEnd) === '>') return { written, start: at, end: nameEnd + 1 };
  if (line.charAt(nameEnd) !== ':') return undefined;
  const end = findBracket(line, nameEnd + 1);
  if (line.charAt(end) !== '>') return undefined;
  const label = line.slice(nameEnd + 1, end);
  return { written, ...(label.trim() !== '' && { label }), start: at, end: end + 1 };
}

/** True when a closing tag has the verb of a tag, and no label or the tag's argument as its label. */
export function isClosingTagOf(closing: ClosingTag, tag: Pick<Tag, 'verb' | 'arg'>, names: TagNames): boolean {
  if (names.resolve(closing.written)?.verb !== tag.verb) return false;
  return closing.label === undefined || cleanArgument(tag.verb, closing.label) === tag.arg;
}

/** Finds the first closing tag from an index on that passes a test. */
export function findClosingTag(
  line: string,
  from: number,
  isMatch: (closing: ClosingTag) => boolean,
): ClosingTag | undefined {
  for (let start = line.indexOf('</', from); start !== -1; start = line.indexOf('</', start + 2)) {
    const closing = readClosingTag(line, start);
    if (closing && isMatch(closing)) return closing;
  }
  return undefined;
}

/** Reads the closing tag at the very end of a line, if it closes a tag. */
export function readFinalClosingTag(
  line: string,
  tag: Pick<Tag, 'verb' | 'arg'>,
  names: TagNames,
): ClosingTag | undefined {
  const start = line.lastIndexOf('</');
  const closing = start === -1 ? undefined : readClosingTag(line, start);
  return closing?.end === line.length && isClosingTagOf(closing, tag, names) ? closing : undefined;
}

/** Finds the first `<` or `>` from an index on that is not inside a quoted value, `name="…"`, or the end of the line. */
function findArgumentEnd(line: string, from: number): { readonly end: number; readonly openQuote: string | undefined } {
  for (let index = from; index < line.length; index++) {
    const character = line.charAt(index);
    if (character === '<' || character === '>') return { end: index, openQuote: undefined };
    if (character !== '=' || !isNamePart(line.charCodeAt(index - 1))) continue;
    const quote = line.charAt(index + 1);
    if (quote !== '"' && quote !== "'") continue;
    const close = findQuote(line, index + 2, quote);
    if (close === -1) return { end: findBracket(line, index), openQuote: quote };
    index = close;
  }
  return { end: line.length, openQuote: undefined };
}

/** Index of the first `<` or `>` from an index on, or the end of the line. */
function findBracket(line: string, from: number): number {
  for (let index = from; index < line.length; index++) {
    const code = line.charCodeAt(index);
    if (code === 60 || code === 62) return index;
  }
  return line.length;
}
