import type { ToolCall } from '../protocol/tool-call.ts';
import type { ToolResult } from '../protocol/tool-result.ts';
import { takeFirstUnits } from '../text-size/text-size.ts';
import { quoteJson } from '../tool-router/quote-json.ts';

/** Failures of one call after which it is not run again in the same turn. */
const FAILURES = 2;
const MOST_TAGS = 5000;
const LONGEST_TAG = 300;
/** Characters of what was read that code and calls in JSON are compared with: the latest. */
const MOST_TEXT = 262_144;
/** Characters of the shortest text that cannot be there by chance. */
const SHORTEST_COPY = 16;
/** What a tool may put before a line of content: its line number, or the file and line of a match. */
const LINE_PREFIX = /^\s*(?:[-+ ]?\d+\|\s*|.{1,300}:\d+: \s*)?$/;

/**
 * Keeps a model from running in circles: an identical read runs once a batch, and a call that failed twice in the same
 * way is not tried a third time in the turn. Any change resets both.
 */
export class RepeatGuard {
  readonly #results = new Map<string, { readonly number: number; readonly result: ToolResult }>();
  readonly #failures = new Map<string, { readonly count: number; readonly result: ToolResult }>();

  /** Forgets the results of the last batch; failures are remembered for the turn. */
  startBatch(): void {
    this.#results.clear();
  }

  /** The result of a call that is not run again; undefined when it is to run. */
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
    // A move has the same result twice and still has to be made.
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

/**
 * Remembers the tags in everything a session has read, and the latest of its texts, to recognise a call or code copied from there: a file that contains
 * `<W:.profile>` must not get its way just because a model repeats it.
 */
export class EchoedCallGuard {
  readonly #shown = new Set<string>();
  /** Separate, so that a page that code reads does not push out what the model has seen. */
  readonly #givenToCode = new Set<string>();
  /** The latest texts, without what a tool puts before lines, and without blanks around them. */
  #latest = '';
  /** Those that came after them, as they are: hardly any is ever compared. */
  #fresh: string[] = [];
  #freshSize = 0;

  /** Remembers the tags that begin a line of what a model sees, or of what code gets, which may show it to the model. */
  learn(text: string, fromCode = false): void {
    const tags = fromCode ? this.#givenToCode : this.#shown;
    const kept = text.slice(-MOST_TEXT);
    this.#fresh.push(kept);
    this.#freshSize += kept.length;
    while (this.#freshSize - this.#fresh[0]!.length >= MOST_TEXT) this.#freshSize -= this.#fresh.shift()!.length;
    for (const tag of listLeadingTags(text)) {
      tags.delete(tag);
      tags.add(tag);
      const [oldest] = tags;
      if (tags.size > MOST_TAGS && oldest !== undefined) tags.delete(oldest);
    }
  }

  /** True when the tag of the call, or the text that it was written in, occurred letter for letter in something read. */
  isEchoed({ tag, source }: Pick<ToolCall, 'tag' | 'source'>): boolean {
    if (source !== undefined && this.isCopied(source)) return true;
    return this.#shown.has(tag) || this.#givenToCode.has(tag);
  }

  /** True when a text of several words occurred in something that was read, however it was indented there. */
  isCopied(text: string): boolean {
    const wanted = removeLayout(text);
    if (wanted.length < SHORTEST_COPY) return false;
    this.#latest = [this.#latest, ...this.#fresh.map(removeLayout)].join('\n').slice(-MOST_TEXT);
    this.#fresh = [];
    this.#freshSize = 0;
    return this.#latest.includes(wanted);
  }
}

function* listLeadingTags(text: string): Generator<string> {
  for (let start = text.indexOf('<'); start !== -1;) {
    const lineStart = text.lastIndexOf('\n', start) + 1;
    const nextLine = text.indexOf('\n', start);
    const line = text.slice(start, Math.min(start + LONGEST_TAG, nextLine === -1 ? text.length : nextLine));
    const end = line.indexOf('>');
    // What a tool puts before a tag is short.
    const before = start - lineStart > 2 * LONGEST_TAG ? 'text' : text.slice(lineStart, start);
    if (end !== -1 && LINE_PREFIX.test(before)) yield line.slice(0, end + 1);
    start = nextLine === -1 ? -1 : text.indexOf('<', nextLine);
  }
}

/** UTF-16 code units of the latest texts that are kept for comparison. */
const MOST_READ_TEXT = 4 * 1024 * 1024;
/** Units of an argument and of a tag in an explanation. */
const LONGEST_QUOTE = 60;
/** An address, without the punctuation of the sentence that it ends. */
const URL = /\b[a-z][a-z0-9+.-]*:\/\/[^\s"'<>`]*[^\s"'<>`.,;:!?)\]}]/gi;
/** An option, or a character that a shell acts on: even a short text of this kind is no coincidence. */
const COMMAND = /^\S+\s.*-|[|;&`$<>]/;
/** `src/a.ts` and `./src/a`, but neither `example.org/a` nor `owner/name`, which may be somebody else's. */
const RELATIVE_PATH = /^(?:\.{1,2}\/)*[\w@-]+(?:\/[\w@.+-]+)*\/[\w@+-]*\.[\w.+-]+$|^(?:\.{1,2}\/)+[\w@.+/-]+$/;
/** The name of a thing at the place that returned it: `b3f0c7a2-…`. An address has dots or an `@`. */
const IDENTIFIER = /^[\w-]+$/;

/** A text that a tool has returned. */
interface ReadText {
  readonly text: string;
  /** The text without layout, once it was compared. */
  plain?: string;
  /** The call that returned it, as a tag. */
  readonly tag: string;
  /** The dotted space of that call. */
  readonly space: string;
  /** What was sent with the call: a tool that repeats it has not been read from. */
  readonly sent?: string | undefined;
}

/**
 * Remembers what a session has read and what its user has said, so that it is known where an argument comes from: an
 * address in a file that was read must not receive a message only because the model repeats it.
 */
export class ReadTexts {
  #read: ReadText[] = [];
  #size = 0;
  #userWords = '';

  /** Remembers the result of a call; what was read longest ago is forgotten first. */
  add({ text, ...origin }: ReadText): void {
    if (text === '') return;
    const kept = text.slice(-MOST_READ_TEXT);
    this.#read.push({ ...origin, text: kept });
    this.#size += kept.length;
    while (this.#size > MOST_READ_TEXT) this.#size -= this.#read.shift()!.text.length;
  }

  /** Remembers a prompt: what the user has written may be used without another question. */
  addUserWords(text: string): void {
    this.#userWords = `${this.#userWords}\n${text}`.slice(-MOST_READ_TEXT);
  }

  /**
   * Explains where an argument of a call that acts outside the workspace was copied from, as a clause to ask with:
   * `its argument url, "https://…", was read by <R:notes.md> in home`; undefined when no argument was copied. Texts of 16
   * characters or more count, and addresses and commands of any length; paths below the workspace, what the user
   * wrote, and names that go back to the space that returned them do not.
   *
   * @param space dotted, of the call
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

/** The text without the numbers that a tool puts before lines, without indents and without empty lines. */
function removeLayout(text: string): string {
  return text
    .split('\n')
    .map((line) => line.replace(/^[-+ ]?\d+\|/, '').trim())
    .filter((line) => line !== '')
    .join('\n');
}

/** Every text in a value: those inside of objects and lists too, and the names of fields. */
function* listInnerTexts(value: unknown): Generator<string> {
  if (typeof value === 'string') yield value;
  if (typeof value !== 'object' || value === null) return;
  if (!Array.isArray(value)) yield* Object.keys(value);
  for (const inner of Object.values(value)) yield* listInnerTexts(inner);
}
