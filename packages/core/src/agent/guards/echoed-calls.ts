import type { ToolCall } from '../../protocol/tool-call.ts';
import { findVerb, SHORT_TAGS } from '../../protocol/verbs.ts';
import { findLineEnd } from '../../tag-parser/characters.ts';
import { listForeignNames } from '../../tag-parser/foreign/translate-call.ts';
import { unescapeXml } from '../../tag-parser/foreign/xml-calls.ts';
import { findArgumentEnd } from '../../tag-parser/tag.ts';
import { ESCAPE, stripTerminalCodes } from '../../tag-parser/terminal-codes.ts';
import { quoteJson } from '../../tool-router/quote-json.ts';
import { listDecoded } from './call-guards.ts';
import type { BoundCall } from '../../tool-router/resolve-call.ts';

const MOST_TAGS = 5000;
const LONGEST_TAG = 300;
/** Text that a tool may put before a line of content: its line number, or the file and line of a match. */
const LINE_PREFIX = /^\s*(?:[-+ ]?\d+\|\s*|.{1,300}:\d+: \s*)?$/;

/** How a text came to be known. */
interface LearnedText {
  /** True for a text that only code was given; it may show it to the model. */
  readonly fromCode?: boolean | undefined;
  /** True for a text by bae, whose sentences name calls: only a tag at the start of a line counts. */
  readonly isOwn?: boolean;
  /** Calls as they were sent: a text that merely repeats one was not where it came from. */
  readonly sent?: Iterable<string>;
}

/**
 * Remembers the tags in everything that a session has read, and the latest of these texts, to recognise a call or code
 * copied from them: a file that contains `<W:.profile>` must not take effect just because a model repeats it.
 */
export class EchoedCallGuard {
  readonly #shown = new Set<string>();
  /** Kept apart, so that a page read by code does not displace the tags that the model has seen. */
  readonly #givenToCode = new Set<string>();
  /** Tags that tools have suggested, which are meant to be repeated. */
  readonly #offered = new Set<string>();
  readonly #latestShown = new LatestText();
  readonly #latestGivenToCode = new LatestText();

  /** Remembers a text for the model, or for code, and the tags in it. */
  learn(text: string, { fromCode = false, isOwn = false, sent = [] }: LearnedText = {}): void {
    let read = removeCodes(text);
    for (const one of sent) if (one !== '' && read.includes(one)) read = read.replaceAll(one, '');
    if (isOwn) read = removeNamedTags(read);
    const latest = fromCode ? this.#latestGivenToCode : this.#latestShown;
    const decoded = listDecoded(read);
    for (const form of [read, ...decoded]) latest.add(form);
    // A page shows `&lt;W:a.txt&gt;` as a tag, and JSON may have it as `\u003cW:a.txt>`.
    for (const form of new Set([read, replaceEscapes(read), ...decoded]))
      for (const tag of listTags(form)) remember(fromCode ? this.#givenToCode : this.#shown, tag);
  }

  /** Remembers a tag that a tool has suggested. */
  offer(tag: string): void {
    for (const simple of listTags(tag)) remember(this.#offered, simple);
  }

  /**
   * Returns true if the call occurred in something that was read: its tag, the text that contained it, or a call of the
   * same tool with the same target in any notation.
   *
   * @param fromCode true for a call made by code
   */
  isEchoed(call: Pick<ToolCall, 'tag' | 'source'>, bound: BoundCall, fromCode = false): boolean {
    const { tag, source } = call;
    const simple = simplifyTag(tag);
    if (!fromCode) {
      if (source !== undefined && this.isCopied(source)) return true;
      if (this.#offered.has(simple)) return false;
      if (this.#shown.has(simple) || this.#givenToCode.has(simple)) return true;
      // A tag that is too long to be remembered, or has options behind it.
      if (listTags(tag).next().value !== simple && this.isCopied(tag)) return true;
    }
    const isMentioned = [this.#latestShown, this.#latestGivenToCode].some(({ text }) =>
      mentionsCall(text, bound, fromCode),
    );
    return isMentioned && !this.#isOffered(bound);
  }

  /** Returns true if code occurred in something that was read, whatever its layout, quotes and escapes there. */
  isCopied(code: string): boolean {
    return this.#latestShown.hasCode(code) || this.#latestGivenToCode.hasCode(code);
  }

  /** Returns true if a tool has suggested a call of the same tool with the same target, in whatever notation. */
  #isOffered({ tool, target }: BoundCall): boolean {
    const start = simplifyTag(`<${tool}:${target}>`);
    return Array.from(this.#offered).some((tag) => tag.startsWith(start));
  }
}

/** Returns the beginning of a call as code would have it: `write("a.txt"`. */
export function formatCallStart({ verb, arg }: Pick<ToolCall, 'verb' | 'arg'>): string {
  return `${verb}(${quoteJson(arg)}`;
}

/** Adds a tag to those remembered, of which the oldest is forgotten. */
function remember(tags: Set<string>, tag: string): void {
  tags.delete(tag);
  tags.add(tag);
  const [oldest] = tags;
  if (tags.size > MOST_TAGS && oldest !== undefined) tags.delete(oldest);
}

const TAG_START = /<[\w.-]+:/g;

/** Yields the tags in a text, simplified. */
function* listTags(text: string): Generator<string> {
  if (!text.includes('<')) return;
  for (const { 0: head, index } of text.matchAll(TAG_START)) {
    const line = text.slice(index, Math.min(index + LONGEST_TAG, findLineEnd(text, index)));
    const { end } = findArgumentEnd(line, head.length);
    if (line.charAt(end) === '>') yield simplifyTag(line.slice(0, end + 1));
  }
}

/** Returns a text of bae without the names of tags in its sentences. */
function removeNamedTags(text: string): string {
  return text.replaceAll(TAG_START, (head: string, at: number) =>
    LINE_PREFIX.test(takeLineBefore(text, at)) ? head : '',
  );
}

/** Returns the text as a terminal shows it. */
function removeCodes(text: string): string {
  if (!text.includes(ESCAPE)) return text;
  return text
    .split('\n')
    .map((line) => stripTerminalCodes(line).detected)
    .join('\n');
}

/** Returns the text between the start of a line and an offset in it; what a tool puts before a tag is short. */
function takeLineBefore(text: string, at: number): string {
  const start = text.lastIndexOf('\n', at - 1) + 1;
  return at - start > 2 * LONGEST_TAG ? 'text' : text.slice(start, at);
}

/** Returns a tag in the form in which tags are compared: `<home.Write: a.txt >` is `write:a.txt`. */
function simplifyTag(tag: string): string {
  const colon = tag.indexOf(':');
  const name = tag.slice(tag.startsWith('<') ? 1 : 0, colon === -1 ? undefined : colon);
  const tool = name.slice(name.lastIndexOf('.') + 1);
  return `${findVerb(tool) ?? tool}${tag.slice(name.length + 1).replace(/\s+|>$/g, '')}`;
}

/** Number of characters before and after a target that may belong to its call. */
const WINDOW = 300;
/** Minimum length of a target that is not a coincidence. */
const SHORTEST_TARGET = 4;

/** Maximum number of places in a text that are compared with all notations. */
const MOST_CHECKS = 5000;

/** Characters that may stand before a target. */
const BEFORE_TARGET: ReadonlySet<string> = new Set(':"(>=[/\n');
/** What may follow the target of a tag: the lines, the end of the tag, or an option. */
const TAG_REST = /^"?(?::\d[\d-]*)?(?:$|\/?>|,|[\w-]+=)/;

/** Notation of a call: the text before its target, and that after it. */
interface Notation {
  readonly before: RegExp;
  readonly after: RegExp;
}

/**
 * Returns true if a text asks for the call: if it has the tool's name and the target in the notation of a tag, of JSON
 * or XML, or of code, whatever the notation of the call, the order of its options, and the text it passes. Of a short
 * target such as `7`, the options also count.
 *
 * @param text a text without notation, as `removeNotation` returns it
 * @param fromCode true for a call made by code: then any call in code counts, otherwise one that is awaited
 */
export function mentionsCall(text: string, { tool, target, options, selects }: BoundCall, fromCode = false): boolean {
  const wanted = removeNotation(target).replace(/^(?:\.\/)+/, '');
  if (wanted === '' || !text.includes(wanted)) return false;
  const isShort = wanted.length < SHORTEST_TARGET || /^\d+$/.test(wanted);
  const values = isShort ? options.map(removeNotation) : [];
  const notations = listNotations(tool, selects ? undefined : fromCode);
  let left = MOST_CHECKS;
  for (let at = text.indexOf(wanted); at !== -1; at = text.indexOf(wanted, at + 1)) {
    if (!BEFORE_TARGET.has(text.charAt(at - 1))) continue;
    const end = at + wanted.length;
    const after = text.slice(end, end + WINDOW);
    const fitting = notations.filter((one) => one.after.test(after));
    if (fitting.length === 0 || !values.every((value) => after.includes(value))) continue;
    const before = text.slice(Math.max(0, at - WINDOW), at).replace(/(?:\.\/)+$/, '');
    // A text that has so many of them was made to take long.
    if (fitting.some((one) => one.before.test(before)) || left-- === 0) return true;
  }
  return false;
}

/** @param fromCode as for `mentionsCall`; undefined if no call in code counts */
function listNotations(tool: string, fromCode: boolean | undefined): readonly Notation[] {
  const verb = findVerb(tool);
  const names = [tool, ...listForeignNames(tool)].map(escapeRegExp);
  const tagNames = verb === undefined ? names : [...names, SHORT_TAGS[verb]];
  const place = String.raw`(?:[\w.-]*(?:\.|__))?`;
  const name = `(?:${names.join('|')})`;
  const inCode = String.raw`(?:(?<![\w$])|(?<=__)|(?<=return|else))${name}`;
  const awaited = String.raw`await(?:[\w$.]*\.)?${name}\(`;
  const call = fromCode === true ? String.raw`(?:${awaited}|${inCode}\()` : awaited;
  const notations: [before: string, after: RegExp][] = [
    [`<${place}(?:${tagNames.join('|')}):"?$`, TAG_REST],
    [String.raw`"(?:name|tool|tool_name|function|action)":\n?"${place}${name}"[^}]*[:[]\n?"$`, /^"/],
    [String.raw`${inCode}\{[^{}]*"$`, /^"/],
    [String.raw`${inCode}\((?:[^()]*[,\n])?\w+="$`, /^"/],
    [String.raw`Action:${place}${name}(?:\n?ActionInput:[^]*|\(|\[)"?$`, /^(?:["\n)\]]|$)/],
    [String.raw`(?:invokename="${place}${name}"|<function=${place}${name}|<${place}${name})>[^]*>\n?$`, /^\n?</],
    [`<${place}${name}[^<>]*="$`, /^"/],
    [String.raw`<${place}(?:${tagNames.join('|')}):[^<>\n]*="?$`, TAG_REST],
    [String.raw`(?:^|\n)"?(?:name|tool|tool_name|function|action)"?:"?${place}${name}"?\n[^]*\w"?:"?$`, /^"?(?:\n|$)/],
    [String.raw`(?:^|\n)"?${place}${name}"?:\n[^]*\w"?:"?$`, /^"?(?:\n|$)/],
  ];
  if (fromCode !== undefined) notations.push([`${call}[^()]*"$`, /^"/], [String.raw`${call}(?:\{\w+:)?$`, /^[,)}]/]);
  return notations.map(([before, after]) => ({ before: new RegExp(before, 'i'), after }));
}

/** Maximum length of the latest read text that calls and code are compared with, in characters. */
const MOST_TEXT = 262_144;
/** Minimum length of code that is looked for inside other text, in characters that are not blank. */
const SHORTEST_CODE = 10;
/** Code that calls something, however short it is. */
const CALL = /[\w$]\(/;

const ENTITY = /&[a-z#]/i;
/** Character that JSON, a string in code or a URL has in other characters: `\u003c`, `\x3C`, `%3c`. */
const ESCAPED = /(?:\\u00|\\x|%)([2-7][\da-f])/gi;
/** Characters that nobody sees between others. */
const INVISIBLE = /[\u00AD\u200B-\u200D\u2060\uFEFF]/g;

/** Marks before a line that is quoted, listed, part of a diff or numbered. */
const LINE_MARKS = /^[ \t]*(?:(?:[-+ ]?\d+\||[>+|-])[ \t]*)+/gm;

/** The latest of the texts that were added, without anything that may differ between a text and its copy. */
class LatestText {
  #text = '';
  /** The text on one line. */
  #joined: string | undefined;
  /** Texts that were added after `#text`, not yet normalised: few of them are ever compared. */
  #fresh: string[] = [];
  #freshSize = 0;

  add(text: string): void {
    const kept = text.slice(-MOST_TEXT);
    this.#fresh.push(kept);
    this.#freshSize += kept.length;
    while (this.#freshSize - this.#fresh[0]!.length >= MOST_TEXT) this.#freshSize -= this.#fresh.shift()!.length;
  }

  /** The text as `removeNotation` returns it. */
  get text(): string {
    if (this.#fresh.length > 0) {
      this.#text = [this.#text, ...this.#fresh.map(removeNotation)].join('\n').slice(-MOST_TEXT);
      this.#joined = undefined;
    }
    this.#fresh = [];
    this.#freshSize = 0;
    return this.#text;
  }

  /**
   * Returns true if code occurs in the text, whatever its line breaks. Code of fewer than 10 characters counts if it is
   * a call and has a line or quotes of its own: `undo()`.
   */
  hasCode(code: string): boolean {
    const wanted = dropLineBreaks(removeNotation(code)).replace(/^await|;+$/g, '');
    const { text } = this;
    if (wanted.length >= SHORTEST_CODE) return (this.#joined ??= dropLineBreaks(text)).includes(wanted);
    if (!CALL.test(wanted) || !text.includes(wanted)) return false;
    return new RegExp(`(?:^|["<>])(?:await)?${escapeRegExp(wanted)};*(?:$|["<])`, 'm').test(text);
  }
}

/** Returns a pattern that matches a text. */
function escapeRegExp(text: string): string {
  return text.replace(/[$()*+./?[\\\]^{|}-]/g, String.raw`\$&`);
}

/** Returns the text as a reader understands it, with its entities and escapes, such as `&lt;`, replaced. */
function replaceEscapes(text: string): string {
  const visible = text.replace(INVISIBLE, '');
  const plain = ENTITY.test(visible) ? unescapeXml(visible) : visible;
  return plain.replace(ESCAPED, (_, code: string) => String.fromCharCode(Number.parseInt(code, 16)));
}

function dropLineBreaks(text: string): string {
  return text.replaceAll('\n', '');
}

/** Returns a text without anything that may differ between it and its copy: blanks, kind of quotes, escapes, entities. */
export function removeNotation(text: string): string {
  const plain = replaceEscapes(text).replace(LINE_MARKS, '');
  const unescaped = plain.includes('\\') ? plain.replace(/\\[nr]/g, '\n').replace(/\\t?/g, '') : plain;
  // Blank lines are dropped with the line break before them.
  return unescaped.replace(/['`]/g, '"').replace(/[^\S\n]+|\n(?=[^\S\n]*\n)/g, '');
}
