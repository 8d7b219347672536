import type { ToolCall } from '../protocol/tool-call.ts';
import type { ToolResult } from '../protocol/tool-result.ts';
import { findVerb } from '../protocol/verbs.ts';
import { findLineEnd } from '../tag-parser/characters.ts';
import { unescapeXml } from '../tag-parser/foreign/xml-calls.ts';
import { findArgumentEnd } from '../tag-parser/tag.ts';
import { ESCAPE, stripTerminalCodes } from '../tag-parser/terminal-codes.ts';
import { takeFirstUnits } from '../text-size/text-size.ts';
import { quoteJson } from '../tool-router/quote-json.ts';

/** Number of failures of one call after which it is not run again in the same turn. */
const FAILURES = 2;
const MOST_TAGS = 5000;
const LONGEST_TAG = 300;
/** Maximum length of the latest read text that code and calls in JSON are compared with, in characters. */
const MOST_TEXT = 262_144;
/** Minimum length of a text that cannot occur by coincidence, in characters. */
const SHORTEST_COPY = 16;
/** The same for a call or code without blanks. */
const SHORTEST_CALL = 10;
/** Text that a tool may put before a line of content: its line number, or the file and line of a match. */
const LINE_PREFIX = /^\s*(?:[-+ ]?\d+\|\s*|.{1,300}:\d+: \s*)?$/;

/**
 * Keeps a model from going in circles: an identical read runs once per batch, and a call that has failed twice in the
 * same way is not tried a third time in the turn. Any change resets both.
 */
export class RepeatGuard {
  readonly #results = new Map<string, { readonly number: number; readonly result: ToolResult }>();
  readonly #failures = new Map<string, { readonly count: number; readonly result: ToolResult }>();

  /** Forgets the results of the last batch; failures are remembered for the turn. */
  startBatch(): void {
    this.#results.clear();
  }

  /** Returns the known result of a call that is not to be run again; undefined if the call is to run. */
  findRepeat(call: ToolCall, location: string): ToolResult | undefined {
    const key = keyOf(call, location);
    const same = this.#results.get(key);
    if (same !== undefined) return { ...same.result, text: `(same as #${same.number})`, ms: 0 };
    const failure = this.#failures.get(key);
    if (failure === undefined || failure.count < FAILURES) return undefined;
    const [firstLine = ''] = failure.result.text.split('\n', 1);
    return { ...failure.result, text: `Skipped: this call already failed twice with: ${firstLine}`, ms: 0 };
  }

  /** @param number the call's place in its batch, from 1 */
  record(call: ToolCall, location: string, { number, result }: { number: number; result: ToolResult }): void {
    const key = keyOf(call, location);
    const before = this.#failures.get(key);
    if (hasChangedSomething(result)) this.reset();
    // A move that has the same result twice must still be made.
    else if (call.verb !== 'go' && (result.effect === 'read' || !result.ran)) {
      this.#results.set(key, { number, result });
    }
    if (result.ok) return;
    const count = before?.result.text === result.text ? before.count + 1 : 1;
    this.#failures.set(key, { count, result });
  }

  /** Forgets everything: something may have changed. */
  reset(): void {
    this.#results.clear();
    this.#failures.clear();
  }
}

export function hasChangedSomething({ ok, partial, effect = 'read' }: ToolResult): boolean {
  return (ok || partial === true) && effect !== 'read';
}

function keyOf(call: ToolCall, location: string): string {
  return JSON.stringify([call.space ?? location, call.verb, call.arg, call.body, call.kwargs]);
}

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
    let read = text;
    for (const one of sent) if (one !== '' && read.includes(one)) read = read.replaceAll(one, '');
    (fromCode ? this.#latestGivenToCode : this.#latestShown).add(read);
    // A page shows `&lt;W:a.txt&gt;` as a tag.
    for (const form of ENTITY.test(read) ? [read, unescapeXml(read)] : [read])
      for (const tag of listTags(form, isOwn)) remember(fromCode ? this.#givenToCode : this.#shown, tag);
  }

  /** Remembers a tag that a tool has suggested. */
  offer(tag: string): void {
    for (const simple of listTags(tag, false)) remember(this.#offered, simple);
  }

  /**
   * Returns true if the call's tag, the text that contained the call, or its beginning in code occurred verbatim in
   * something that was read.
   *
   * @param fromCode true for a call made by code
   */
  isEchoed(call: Pick<ToolCall, 'tag' | 'source' | 'verb' | 'arg'>, fromCode = false): boolean {
    if (fromCode) return this.isCopied(formatCallStart(call));
    const { tag, source } = call;
    if (source !== undefined && this.isCopied(source)) return true;
    const simple = simplifyTag(tag);
    if (this.#offered.has(simple)) return false;
    if (this.#shown.has(simple) || this.#givenToCode.has(simple)) return true;
    // A tag that is too long to be remembered, or has options behind it.
    return listTags(tag, false).next().value !== simple && this.isCopied(tag);
  }

  /**
   * Returns true if a text of at least 10 characters that are not blank occurred in something that was read, whatever
   * its layout, quotes and escapes there.
   */
  isCopied(text: string): boolean {
    const wanted = removeNotation(text);
    if (wanted.length < SHORTEST_CALL) return false;
    return this.#latestShown.includes(wanted) || this.#latestGivenToCode.includes(wanted);
  }
}

/** The latest of the texts that were added, without anything that may differ between a text and its copy. */
class LatestText {
  #latest = '';
  /** Texts that were added after `#latest`, not yet normalised: few of them are ever compared. */
  #fresh: string[] = [];
  #freshSize = 0;

  add(text: string): void {
    const kept = text.slice(-MOST_TEXT);
    this.#fresh.push(kept);
    this.#freshSize += kept.length;
    while (this.#freshSize - this.#fresh[0]!.length >= MOST_TEXT) this.#freshSize -= this.#fresh.shift()!.length;
  }

  includes(wanted: string): boolean {
    if (this.#fresh.length > 0)
      this.#latest = [this.#latest, ...this.#fresh.map(removeNotation)].join('\n').slice(-MOST_TEXT);
    this.#fresh = [];
    this.#freshSize = 0;
    return this.#latest.includes(wanted);
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

/** Yields the tags in a text, simplified; if it is bae's own, those at the start of a line. */
function* listTags(text: string, isOwn: boolean): Generator<string> {
  if (!text.includes('<')) return;
  const plain = text.includes(ESCAPE)
    ? text
        .split('\n')
        .map((line) => stripTerminalCodes(line).detected)
        .join('\n')
    : text;
  for (const { 0: head, index } of plain.matchAll(TAG_START)) {
    if (isOwn && !LINE_PREFIX.test(takeLineBefore(plain, index))) continue;
    const line = plain.slice(index, Math.min(index + LONGEST_TAG, findLineEnd(plain, index)));
    const { end } = findArgumentEnd(line, head.length);
    if (line.charAt(end) === '>') yield simplifyTag(line.slice(0, end + 1));
  }
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

const ENTITY = /&[a-z#]/i;

/** Marks before a line that is quoted, listed, part of a diff or numbered. */
const LINE_MARKS = /^[ \t]*(?:(?:[-+ ]?\d+\||[>+|-])[ \t]*)+/gm;

/** Returns a text without anything that may differ between it and its copy: layout, kind of quotes, escapes, entities. */
function removeNotation(text: string): string {
  return (ENTITY.test(text) ? unescapeXml(text) : text)
    .replace(LINE_MARKS, '')
    .replace(/\\[nrt]?/g, '')
    .replace(/['`]/g, '"')
    .replace(/\s+/g, '');
}

/** Maximum length of the latest texts kept for comparison, in UTF-16 code units. */
const MOST_READ_TEXT = 4 * 1024 * 1024;
/** Maximum length of a quoted argument or tag in an explanation, in UTF-16 code units. */
const LONGEST_QUOTE = 60;
/** URL without the punctuation of the sentence that it ends. */
const URL = /\b[a-z][a-z0-9+.-]*:\/\/[^\s"'<>`]*[^\s"'<>`.,;:!?)\]}]/gi;
/**
 * Command with an option, or text with a character that a shell interprets: even a short text of this kind is not a
 * coincidence.
 */
const COMMAND = /^\S+\s.*-|[|;&`$<>]/;
/**
 * Relative path: `src/a.ts` and `./src/a`, but neither `example.org/a` nor `owner/name`, which may belong to someone
 * else.
 */
const RELATIVE_PATH = /^(?:\.{1,2}\/)*[\w@-]+(?:\/[\w@.+-]+)*\/[\w@+-]*\.[\w.+-]+$|^(?:\.{1,2}\/)+[\w@.+/-]+$/;
/** Identifier of an item at the place that returned it: `b3f0c7a2-…`, `test:unit`. An address has dots or an `@`. */
const IDENTIFIER = /^[\w:-]+$/;

/** Text that a tool has returned. */
interface ReadText {
  readonly text: string;
  /** Text without layout; set when it is first compared. */
  plain?: string;
  /** Tag of the call that returned it. */
  readonly tag: string;
  /** Dotted space of that call. */
  readonly space: string;
  /** Text that was sent with the call: if a tool merely repeats it, it was not read from the tool. */
  readonly sent?: string | undefined;
}

/**
 * Remembers the texts that a session has read and its user has written, to find the source of an argument: an address
 * in a file that was read must not receive a message just because the model repeats it.
 */
export class ReadTexts {
  #read: ReadText[] = [];
  #size = 0;
  #userWords = '';

  /** Remembers the result of a call; the oldest texts are forgotten first. */
  add({ text, ...origin }: ReadText): void {
    if (text === '') return;
    const kept = text.slice(-MOST_READ_TEXT);
    this.#read.push({ ...origin, text: kept });
    this.#size += kept.length;
    while (this.#size > MOST_READ_TEXT) this.#size -= this.#read.shift()!.text.length;
  }

  /** Remembers a prompt: text that the user has written may be used without another question. */
  addUserWords(text: string): void {
    this.#userWords = `${this.#userWords}\n${text}`.slice(-MOST_READ_TEXT);
  }

  /**
   * Explains where an argument of a call that acts outside the workspace was copied from, as a clause for the question:
   * `its argument url, "https://…", was read by <R:notes.md> in home`; undefined if no argument was copied. Texts of 16
   * characters or more are checked, and addresses and commands of any length. Paths below the workspace, text that the
   * user wrote, and names sent back to the space that returned them are not.
   *
   * @param space the dotted space of the call
   */
  explainCopy(args: Readonly<Record<string, unknown>>, space: string): string | undefined {
    for (const [name, value] of Object.entries(args)) {
      for (const part of Array.from(listInnerTexts(value)).flatMap((text) => [text, ...(text.match(URL) ?? [])])) {
        const source = this.#findSource(part, space);
        if (source === undefined) continue;
        const quoted = quoteJson(takeFirstUnits(part, LONGEST_QUOTE));
        return `its argument ${name}, ${quoted}, was read by ${takeFirstUnits(source.tag, LONGEST_QUOTE)} in ${source.space}`;
      }
    }
    return undefined;
  }

  #findSource(argument: string, to: string): ReadText | undefined {
    const wanted = removeLayout(argument);
    const isTelling = wanted.length >= SHORTEST_COPY || COMMAND.test(wanted) || wanted.search(URL) !== -1;
    if (!isTelling || RELATIVE_PATH.test(wanted) || removeLayout(this.#userWords).includes(wanted)) return undefined;
    const isName = IDENTIFIER.test(wanted);
    return this.#read.findLast((known) => {
      if ((isName && known.space === to) || known.sent?.includes(argument)) return false;
      return known.text.includes(argument) || (known.plain ??= removeLayout(known.text)).includes(wanted);
    });
  }
}

/** Returns the text without line numbers added by tools, indentation and empty lines. */
function removeLayout(text: string): string {
  return text
    .split('\n')
    .map((line) => line.replace(/^[-+ ]?\d+\|/, '').trim())
    .filter((line) => line !== '')
    .join('\n');
}

/** Yields every text in a value, including those inside objects and lists, and the names of fields. */
function* listInnerTexts(value: unknown): Generator<string> {
  if (typeof value === 'string') yield value;
  if (typeof value !== 'object' || value === null) return;
  if (!Array.isArray(value)) yield* Object.keys(value);
  for (const inner of Object.values(value)) yield* listInnerTexts(inner);
}
