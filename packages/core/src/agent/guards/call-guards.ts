import type { ToolCall } from '../../protocol/tool-call.ts';
import type { ToolResult } from '../../protocol/tool-result.ts';
import { markCodes } from '../../tag-parser/characters.ts';
import { hasSeparator } from '../../feedback/render-feedback.ts';
import { takeFirstUnits } from '../../text-size/text-size.ts';
import { quoteJson } from '../../tool-router/quote-json.ts';

/** Number of failures of one call after which it is not run again in the same turn. */
const FAILURES = 2;
/** Minimum length of a text that cannot occur by coincidence, in characters. */
const SHORTEST_COPY = 16;

/**
 * Keeps a model from going in circles: an identical read runs once per batch, and a call that has failed twice in the
 * same way is not tried a third time in the turn. Any change resets both, and a read resets the edits that need one.
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
    if (result.ok) {
      for (const [failed, { result }] of this.#failures)
        if (result.errorType === 'ConflictError') this.#failures.delete(failed);
      return;
    }
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
  /** True once a text was read that has a line which results show with a backslash. */
  hasSeparator = false;

  /** Remembers the result of a call; the oldest texts are forgotten first. */
  add({ text, ...origin }: ReadText): void {
    if (text === '') return;
    this.hasSeparator ||= hasSeparator(text);
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
      for (const part of Array.from(listInnerTexts(value)).flatMap(listComparedParts)) {
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
      if (known.text.includes(argument)) return true;
      known.plain ??= [known.text, ...listDecoded(known.text)].map(removeLayout).join('\n');
      return known.plain.includes(wanted);
    });
  }
}

/** Lists the parts of an argument that are compared: itself, the addresses in it, and its values. */
function listComparedParts(argument: string): readonly string[] {
  return [argument, ...(argument.match(URL) ?? []), ...listArgumentValues(argument)];
}

/** Returns the text without line numbers added by tools, escapes, indentation and line breaks. */
function removeLayout(text: string): string {
  return text
    .split('\n')
    .map((line) => line.replace(/^[-+ ]?\d+\|/, '').trim())
    .filter((line) => line !== '')
    .join(' ')
    .replaceAll(/\\[nrt]/g, ' ')
    .replaceAll(/\\(["'/])/g, '$1')
    .replaceAll(/\s+/g, ' ');
}

/** Characters of a run that may stand for other text, its minimum length, and how many are looked at in a text. */
const IS_ENCODED = markCodes('ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/_-');
const SHORTEST_RUN = 16;
const MOST_RUNS = 200;
const LONGEST_RUN = 65_536;
/** Matches text that a person can read: bytes that are no UTF-8 are decoded as U+FFFD. */
const READABLE = /^(?:(?!\uFFFD)[\t\n\r\P{C}]){8,}$/u;
/** The same for the beginning of a text, whose last character may be cut. */
const READABLE_BEGINNING = /^(?:(?!\uFFFD)[\t\n\r\P{C}])+\uFFFD{0,3}$/u;
const BEGINNING = 24;
/** Lines of YAML: `key: value`, `- value`, `- key: value`. */
const YAML_LINE = /^\s*(?:-\s+)?(?:["']?[\w.-]+["']?:(?:\s+(.*))?|(?<=-\s+)(.+))$/;
const QUERY = /[?&][^=&\s#]+=([^&\s#]+)/g;
const MOST_PARTS = 500;

/** Lists the texts that are in a text as base64 or hexadecimal. */
export function listDecoded(text: string): readonly string[] {
  const found: string[] = [];
  let left = MOST_RUNS;
  for (const run of listEncodedRuns(text)) {
    if (left-- === 0) break;
    for (const decode of [decodeHex, decodeBase64]) {
      // Most runs are words, which shows at their beginnings.
      if (!READABLE_BEGINNING.test(decode(run.slice(0, BEGINNING)))) continue;
      const decoded = run.length <= BEGINNING ? decode(run) : decode(run.slice(0, LONGEST_RUN));
      if (READABLE.test(decoded)) found.push(decoded);
    }
  }
  return found;
}

/** Yields the runs. Begins at the end of the shortest possible one: of most texts, few characters are looked at. */
function* listEncodedRuns(text: string): Generator<string> {
  for (let start = 0, end = 0; start + SHORTEST_RUN <= text.length;) {
    let at = start + SHORTEST_RUN - 1;
    while (at >= start && IS_ENCODED[text.charCodeAt(at)] === 1) at--;
    if (at < start) {
      end = start + SHORTEST_RUN;
      while (IS_ENCODED[text.charCodeAt(end)] === 1) end++;
      yield text.slice(start, text.startsWith('==', end) ? end + 2 : text.startsWith('=', end) ? end + 1 : end);
      at = end;
    }
    start = at + 1;
  }
}

/**
 * Lists the values in an argument, whatever their notation: those of JSON, YAML and the query of an address, and what is
 * in it as base64 or hexadecimal. Sentences have no values.
 */
export function listArgumentValues(argument: string): readonly string[] {
  const values = [...listJson(argument), ...listYaml(argument), ...listQuery(argument)];
  const texts = [argument, ...values].slice(0, MOST_PARTS);
  return [...values, ...texts.flatMap(listDecoded)].slice(0, MOST_PARTS);
}

/** Yields every text in a value, including those inside objects and lists, and the names of fields. */
export function* listInnerTexts(value: unknown): Generator<string> {
  if (typeof value === 'string') yield value;
  if (typeof value !== 'object' || value === null) return;
  if (!Array.isArray(value)) yield* Object.keys(value);
  for (const inner of Object.values(value)) yield* listInnerTexts(inner);
}

function listJson(text: string): readonly string[] {
  if (!/^\s*[[{"]/.test(text)) return [];
  try {
    return [...listInnerTexts(JSON.parse(text))];
  } catch {
    return [];
  }
}

function listYaml(text: string): readonly string[] {
  const lines = text.split('\n').filter((line) => line.trim() !== '');
  const matches = lines.map((line) => YAML_LINE.exec(line));
  if (matches.length < 2 || matches[0] === null) return [];
  const values: string[] = [];
  for (const [index, match] of matches.entries()) {
    const value = match?.[1] ?? match?.[2];
    if (match === null && values.length > 0) values.push(`${values.pop()} ${lines[index]!.trim()}`.trim());
    else
      values.push(
        (value ?? '')
          .trim()
          .replace(/^[|>][+-]?$/, '')
          .replace(/^(["'])(.*)\1$/, '$2'),
      );
  }
  return values.filter((value) => value !== '');
}

function listQuery(text: string): readonly string[] {
  return Array.from(text.matchAll(QUERY), ([, value = '']) => decodePercent(value.replaceAll('+', ' ')));
}

function decodePercent(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

const UTF8 = new TextDecoder();

/** Returns an empty text for what is not hexadecimal. */
function decodeHex(run: string): string {
  if (!/^(?:[\da-f]{2})+$/i.test(run)) return '';
  return UTF8.decode(Uint8Array.from(run.match(/../g) ?? [], (pair) => Number.parseInt(pair, 16)));
}

/** What base64 of a text begins with: a byte of ASCII, or the first one of another character. */
const TEXT_AS_BASE64 = /^[CI-Za-fw-z\d]/;

/** Returns an empty text for what is not text as base64. */
function decodeBase64(run: string): string {
  if (!TEXT_AS_BASE64.test(run)) return '';
  const plain = run.replaceAll('-', '+').replaceAll('_', '/').replace(/=+$/, '');
  // One character alone stands for no byte.
  return plain.length % 4 === 1 ? '' : UTF8.decode(Uint8Array.from(atob(plain), (one) => one.charCodeAt(0)));
}
