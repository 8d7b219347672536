import type { ToolCall } from '../../protocol/tool-call.ts';
import { findVerb } from '../../protocol/verbs.ts';
import { findLineEnd } from '../../tag-parser/characters.ts';
import { findArgumentEnd } from '../../tag-parser/tag.ts';
import { ESCAPE, stripTerminalCodes } from '../../tag-parser/terminal-codes.ts';
import { quoteJson } from '../../tool-router/quote-json.ts';
import type { BoundCall } from '../../tool-router/resolve-call.ts';
import { mentionsCall } from './mentioned-call.ts';
import { LatestText, replaceEscapes } from './read-text.ts';

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
    (fromCode ? this.#latestGivenToCode : this.#latestShown).add(read);
    // A page shows `&lt;W:a.txt&gt;` as a tag, and JSON may have it as `\u003cW:a.txt>`.
    const decoded = replaceEscapes(read);
    for (const form of decoded === read ? [read] : [read, decoded])
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
