import type { ToolCall } from '../protocol/tool-call.ts';
import { VERBS } from '../protocol/verbs.ts';
import { findQuote, isBlank, isNamePart, readName, skipBlanks } from './characters.ts';
import type { TagName, TagNames } from './names.ts';

/** One tag on its line. */
export interface Tag extends TagName {
  /** Name as typed: `W`, `Write`, `source.read`. */
  readonly written: string;
  readonly arg: string;
  /** Tag as written, without its body. */
  readonly text: string;
  /** Text up to a closing tag on the same line. */
  readonly body?: string;
  /** True if the tag ends in ` />`: it has no body unless its own closing tag follows. */
  readonly isSelfClosed: boolean;
}

/** Start of a tag, `<name:`, with the possible end of its argument. */
interface TagHead extends TagName {
  readonly written: string;
  readonly start: number;
  /** Index after the colon. */
  readonly argStart: number;
  /** Index of the `>` that ends the argument; -1 if there is none or a `<` comes first, both outside quotes. */
  readonly argEnd: number;
  /** Quote of a value that does not end on the line. */
  readonly openQuote: string | undefined;
}

/** Closing tag, `</W>` or labelled `</W:notes.md>`, and its place in the line. */
interface ClosingTag {
  readonly written: string;
  /** Raw argument after the colon. */
  readonly label: string | undefined;
  readonly start: number;
  /** Index after its `>`. */
  readonly end: number;
}

const LESS = 60;
const EQUALS = 61;
const GREATER = 62;
const BODYLESS: ReadonlySet<string> = new Set(['read', 'glob', 'grep']);
const NEEDS_ARGUMENT: ReadonlySet<string> = new Set(['write', 'edit', 'glob', 'grep']);

/** Returns true if tags of a verb may have a body: write, edit and every custom tool. */
export function canHaveBody(verb: string): boolean {
  return !BODYLESS.has(verb);
}

/** Returns true if a tag has no argument but its verb needs one. */
export function isArgumentMissing({ verb, arg }: Pick<Tag, 'verb' | 'arg'>): boolean {
  return arg === '' && NEEDS_ARGUMENT.has(verb);
}

/** Text between a tag and a closing tag on a later line. */
export interface TagBody {
  readonly text: string;
  /** True if the tag is alone on its line. */
  readonly block: boolean;
  /** True if the text is one empty line, not nothing. */
  readonly isEmptyLine?: boolean;
}

type Mutable<T> = { -readonly [K in keyof T]: T[K] };

/** Creates the call of a tag. An edit with an empty inline body has no body: it only shows. */
export function makeCall(tag: Tag, line: number, lines?: TagBody): ToolCall {
  const { verb, arg, space, text } = tag;
  const call: Mutable<ToolCall> = { verb, arg, line, tag: text };
  if (space !== undefined) call.space = space;
  const body = lines?.text ?? (verb === 'edit' && tag.body === '' ? undefined : tag.body);
  if (body !== undefined) {
    call.body = body;
    call.block = lines?.block ?? false;
    if (lines?.isEmptyLine === true) call.isEmptyLine = true;
  }
  return call;
}

/** Returns true for `<E:a.ts:3-5></E>`, which only shows the lines, though it may have been meant to delete them. */
export function isEmptyEdit({ verb, arg, body }: Tag): boolean {
  return verb === 'edit' && body === '' && /:\d[\d:-]*$/.test(arg);
}

/** Reads `<name:` at an index of a line; returns undefined if there is none or the name is unknown. */
export function readTagHead(line: string, at: number, names: TagNames): TagHead | undefined {
  if (line.charAt(at) !== '<') return undefined;
  const [written, colon] = readName(line, at + 1);
  if (line.charAt(colon) !== ':') return undefined;
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
  // A second quote inside means that the first and last are not a pair: `"a" "b"`.
  return text.indexOf(mark, 1) === text.length - 1;
}

/** Reads the closing tag that begins exactly at an index, whatever its name. */
export function readClosingTag(line: string, at: number): ClosingTag | undefined {
  if (!line.startsWith('</', at)) return undefined;
  const [written, nameEnd] = readName(line, at + 2);
  if (written === '') return undefined;
  if (line.charAt(nameEnd) === '>') return { written, label: undefined, start: at, end: nameEnd + 1 };
  if (line.charAt(nameEnd) !== ':') return undefined;
  const end = findBracket(line, nameEnd + 1);
  if (line.charAt(end) !== '>') return undefined;
  const label = line.slice(nameEnd + 1, end);
  return { written, label: label.trim() === '' ? undefined : label, start: at, end: end + 1 };
}

function isClosingTagOf(closing: ClosingTag, tag: Pick<Tag, 'verb' | 'arg'>, names: TagNames): boolean {
  if (names.resolve(closing.written)?.verb !== tag.verb) return false;
  if (closing.label === undefined) return true;
  const label = cleanArgument(tag.verb, closing.label);
  return isLabelOf(label, tag.arg);
}

/** Returns true if the label of a closing tag is an argument, or its path alone: `a.ts` of `a.ts:3-5`. */
export function isLabelOf(label: string, arg: string): boolean {
  if (label === arg) return true;
  return label !== '' && arg.startsWith(label) && /^(?::\d[\d:-]*)?(?:\s.*)?$/s.test(arg.slice(label.length));
}

function findClosingTag(line: string, from: number, isMatch: (closing: ClosingTag) => boolean): ClosingTag | undefined {
  for (let start = line.indexOf('</', from); start !== -1; start = line.indexOf('</', start + 2)) {
    const closing = readClosingTag(line, start);
    if (closing && isMatch(closing)) return closing;
  }
  return undefined;
}

function readFinalClosingTag(line: string, tag: Pick<Tag, 'verb' | 'arg'>, names: TagNames): ClosingTag | undefined {
  const start = line.lastIndexOf('</');
  const closing = start === -1 ? undefined : readClosingTag(line, start);
  return closing?.end === line.length && isClosingTagOf(closing, tag, names) ? closing : undefined;
}

/**
 * Finds the first `<` or `>` from an index on that is not inside a quoted value, `name="…"`, or the end of the line.
 */
export function findArgumentEnd(
  line: string,
  from: number,
): { readonly end: number; readonly openQuote: string | undefined } {
  for (let index = from; index < line.length; index++) {
    const code = line.charCodeAt(index);
    if (code === LESS || code === GREATER) return { end: index, openQuote: undefined };
    if (code !== EQUALS || !isNamePart(line.charCodeAt(index - 1))) continue;
    const quote = line.charAt(index + 1);
    if (quote !== '"' && quote !== "'") continue;
    const close = findQuote(line, index + 2, quote);
    if (close === -1) return { end: findBracket(line, index), openQuote: quote };
    index = close;
  }
  return { end: line.length, openQuote: undefined };
}

function findBracket(line: string, from: number): number {
  for (let index = from; index < line.length; index++) {
    const code = line.charCodeAt(index);
    if (code === LESS || code === GREATER) return index;
  }
  return line.length;
}

/** Line that begins with `<name:`. */
export type TagLine =
  /** Tags that are complete calls, or one tag with its body and closing tag. */
  | { readonly kind: 'tags'; readonly tags: readonly Tag[] }
  /** A tag alone on its line whose body, if it has one, follows. */
  | { readonly kind: 'open'; readonly tag: Tag }
  /** A tag with a body that shares its line with something else. */
  | { readonly kind: 'crowded'; readonly tag: Tag }
  /** A tag followed by text, which is prose unless a later line closes the tag. */
  | { readonly kind: 'loose'; readonly tag: Tag }
  /** A tag whose argument contains `<` or `>`, or that has no end on its line. */
  | { readonly kind: 'broken'; readonly tag: Tag; readonly isClosed: boolean; readonly openQuote: string | undefined }
  /** Text that ends with a closing tag. */
  | { readonly kind: 'ending'; readonly verb: string; readonly label: string | undefined }
  /** A tag whose name is similar to a known one. */
  | { readonly kind: 'near-miss'; readonly tag: Tag; readonly meant: string; readonly isClosed: boolean };

/** Reads a trimmed line that begins with `<`; returns undefined for prose. */
export function readTagLine(line: string, names: TagNames): TagLine | undefined {
  const head = readTagHead(line, 0, names);
  if (!line.endsWith('>')) {
    return head && (readTrailingOptions(line, names) ?? readLoose(line, head) ?? readUnended(line, head));
  }
  if (!head) return readNearMiss(line, names);
  const command = readCommand(line, head);
  if (command) return command.body === undefined ? { kind: 'open', tag: command } : { kind: 'tags', tags: [command] };
  if (head.openQuote !== undefined && head.verb !== 'grep') return readUnended(line, head);
  if (head.argEnd === line.length - 1) {
    const tag = completeTag(line, head, head.argEnd);
    return canHaveBody(tag.verb) ? { kind: 'open', tag } : { kind: 'tags', tags: [tag] };
  }
  const sequence = readSequence(line, names);
  if (sequence) return classifySequence(sequence);
  if (canHaveBody(head.verb)) return readLongInline(line, head, names) ?? readBroken(line, head, names);
  return readUnended(line, head);
}

/** Options after the closing tag of a call: `timeout=5 folder="src"`. */
const TRAILING_OPTIONS = /^\s+(?:[\w-]+=(?:"[^"]*"|'[^']*'|[^\s,"'<>]+)(?:[\s,]+|$))+$/;

/** Reads a tag whose options stand after its closing tag, where a signature shows them. */
function readTrailingOptions(line: string, names: TagNames): TagLine | undefined {
  const end = readClosingTag(line, line.lastIndexOf('</'))?.end;
  if (end === undefined || !TRAILING_OPTIONS.test(line.slice(end))) return undefined;
  const inner = readTagLine(line.slice(0, end), names);
  const [tag, ...others] = inner?.kind === 'tags' ? inner.tags : [];
  if (tag === undefined || others.length > 0) return undefined;
  return { kind: 'tags', tags: [{ ...tag, arg: `${tag.arg} ${line.slice(end).trim()}`, text: line }] };
}

/** Quoted words, and redirections of a shell, in an argument. */
const QUOTED = /(?<=^|[\s=(,])(?:"(?:[^"\\]|\\.)*"|'[^']*')/g;
const REDIRECTION = /(?<=^|[\s\d&])(?:>>?|<{1,3})(?:&\d|\s*(?=[\w./~-]))/g;
/**
 * Names of tools that take commands. Of another tool, a tag with a redirection is closed on its line. Names instead of
 * a declaration, because a text is read before it is known where its calls will run, and the tools of a mounted server,
 * which have such names too, declare nothing of this kind.
 */
const COMMAND_TOOL = /^(?:sh|bash|shell|exec|command|run_(?:script|command))$/i;

/**
 * Reads a tag of a custom tool whose argument is a command with brackets in quotes or in redirections:
 * `<sh:npm test 2>&1></sh>`, `<exec:node -e "(a) => a > 1">`. Its argument ends at the last bracket before the closing
 * tag or the end of the line.
 */
function readCommand(line: string, head: TagHead): Tag | undefined {
  if ((VERBS as readonly string[]).includes(head.verb) || line.indexOf('>', head.argStart) === line.length - 1)
    return undefined;
  const closing = `></${head.written}>`;
  const isClosed = line.endsWith(closing);
  const end = isClosed ? line.length - closing.length : line.length - 1;
  if (end <= head.argStart) return undefined;
  const argument = line.slice(head.argStart, end);
  const bare = argument.replaceAll(QUOTED, '');
  const mayRedirect = isClosed || COMMAND_TOOL.test(head.verb);
  if (!/[<>]/.test(argument) || /[<>]/.test(mayRedirect ? bare.replaceAll(REDIRECTION, '') : bare)) return undefined;
  return { ...completeTag(line, head, end), text: line, ...(isClosed && { body: '' }) };
}

/**
 * Reads a line of text that ends with a closing tag of a verb that takes a body; returns undefined for any other line.
 */
export function readEnding(line: string, names: TagNames): (TagLine & { readonly kind: 'ending' }) | undefined {
  const start = line.endsWith('>') ? line.lastIndexOf('</') : -1;
  const closing = start < 1 ? undefined : readClosingTag(line, start);
  const verb = closing?.end === line.length ? names.resolve(closing.written)?.verb : undefined;
  if (!closing || verb === undefined || !canHaveBody(verb)) return undefined;
  return { kind: 'ending', verb, label: closing.label === undefined ? undefined : cleanArgument(verb, closing.label) };
}

function readUnended(line: string, head: TagHead): TagLine | undefined {
  if (head.argEnd !== -1 && head.openQuote === undefined) return undefined;
  const { verb, openQuote } = head;
  if (verb === 'grep' && line.includes('>', head.argStart)) return undefined;
  return { kind: 'broken', tag: { ...completeTag(line, head, line.length), text: line }, isClosed: false, openQuote };
}

/**
 * Reads a line that consists of tags only, each with the text up to its closing tag if it has one.
 *
 * Returns undefined for any other line. A grep pattern that contains `<` or `>` runs to the last `>`.
 */
function readSequence(line: string, names: TagNames): readonly Tag[] | undefined {
  const tags: Tag[] = [];
  let pattern: TagHead | undefined;
  let beforePattern = 0;
  let at = 0;
  while (at < line.length) {
    const head = readTagHead(line, at, names);
    if (head?.verb === 'grep') {
      pattern = head;
      beforePattern = tags.length;
    }
    const piece = head && readPiece(line, head, names);
    if (!piece) {
      const grep = pattern && readLongPattern(line, pattern, names);
      return grep && [...tags.slice(0, beforePattern), grep];
    }
    tags.push(piece.tag);
    at = skipBlanks(line, piece.end);
  }
  return tags;
}

function readPiece(
  line: string,
  head: TagHead,
  names: TagNames,
): { readonly tag: Tag; readonly end: number } | undefined {
  if (head.argEnd === -1) return undefined;
  const tag = completeTag(line, head, head.argEnd);
  const bodyStart = head.argEnd + 1;
  const adjacent = readClosingTag(line, bodyStart);
  if (adjacent && isClosingTagOf(adjacent, tag, names)) {
    return { tag: canHaveBody(tag.verb) ? { ...tag, body: '' } : tag, end: adjacent.end };
  }
  const next = skipBlanks(line, bodyStart);
  if (next === line.length || readTagHead(line, next, names)) return { tag, end: bodyStart };
  if (!canHaveBody(tag.verb)) return undefined;
  const closing = findClosingTag(line, bodyStart, (one) => isClosingTagOf(one, tag, names));
  return closing && { tag: { ...tag, body: line.slice(bodyStart, closing.start) }, end: closing.end };
}

function readLongPattern(line: string, head: TagHead, names: TagNames): Tag | undefined {
  const closing = readFinalClosingTag(line, { verb: 'grep', arg: '' }, names);
  const end = closing && line.charAt(closing.start - 1) === '>' ? closing.start : line.length;
  return end > head.argStart ? completeTag(line, head, end - 1) : undefined;
}

function classifySequence(tags: readonly Tag[]): TagLine {
  const crowded = tags.length > 1 && tags.find((tag) => tag.verb === 'write' || (tag.body ?? '') !== '');
  return crowded ? { kind: 'crowded', tag: crowded } : { kind: 'tags', tags };
}

/** Reads a body that itself looks like tags, or that contains a closing tag and is closed by a labelled one. */
function readLongInline(line: string, head: TagHead, names: TagNames): TagLine | undefined {
  if (head.argEnd === -1) return undefined;
  const tag = completeTag(line, head, head.argEnd);
  const closing = readFinalClosingTag(line, tag, names);
  if (!closing) return undefined;
  const isFirst =
    findClosingTag(line, head.argEnd + 1, (one) => isClosingTagOf(one, tag, names))?.start === closing.start;
  if (closing.label === undefined && !isFirst) return { kind: 'crowded', tag };
  return { kind: 'tags', tags: [{ ...tag, body: line.slice(head.argEnd + 1, closing.start) }] };
}

function readLoose(line: string, head: TagHead): TagLine | undefined {
  const isTag = head.argEnd !== -1 && canHaveBody(head.verb);
  return isTag ? { kind: 'loose', tag: completeTag(line, head, head.argEnd) } : undefined;
}

function readBroken(line: string, head: TagHead, names: TagNames): TagLine | undefined {
  if (head.argEnd !== -1 && head.verb === 'edit') return readLoose(line, head);
  const closing = readFinalClosingTag(line, { verb: head.verb, arg: '' }, names);
  const bodyStart = closing === undefined ? -1 : line.lastIndexOf('>', closing.start);
  const isClosed = bodyStart >= head.argStart;
  const tag = completeTag(line, head, isClosed ? bodyStart : line.length - 1);
  return { kind: 'broken', tag, isClosed, openQuote: undefined };
}

function readNearMiss(line: string, names: TagNames): TagLine | undefined {
  const [written, colon] = readName(line, 1);
  // `<Result: 42>` is text, as an answer may have it.
  if (written === '' || line.charAt(colon) !== ':' || isBlank(line.charCodeAt(colon + 1))) return undefined;
  const argEnd = line.indexOf('>', colon);
  const inner = line.lastIndexOf('<', argEnd);
  const isClosed = argEnd < line.length - 1;
  if (inner > 0 || (isClosed && !line.endsWith(`</${written}>`))) return undefined;
  const meant = names.findNearMiss(written);
  if (meant === undefined) return undefined;
  const [arg, text] = [line.slice(colon + 1, argEnd).trim(), line.slice(0, argEnd + 1)];
  const tag: Tag = { verb: written, space: undefined, written, arg, text, isSelfClosed: false };
  return { kind: 'near-miss', tag, meant, isClosed };
}
