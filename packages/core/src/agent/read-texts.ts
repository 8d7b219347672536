import { takeFirstUnits } from '../text-size/units.ts';
import { quoteJson } from '../tool-router/quote-json.ts';

/** UTF-16 code units of the shortest text that cannot be in two places by chance. */
const SHORTEST_COPY = 16;
/** UTF-16 code units of the latest texts that are kept for comparison. */
const MOST_TEXT = 524_288;
/** Units of an argument and of a tag in an explanation. */
const LONGEST_QUOTE = 60;
const URL = /\b[a-z][a-z0-9+.-]*:\/\/[^\s"'<>`]+/gi;
/** An option, or a character that a shell acts on: even a short text of this kind is no coincidence. */
const COMMAND = /^\S+\s.*-|[|;&`$<>]/;
/** `src/a.ts`, but not `example.org/a`, which may be the address of a host. */
const RELATIVE_PATH = /^(?:\.{1,2}\/)*[\w@-]+(?:\/[\w@.+-]+)+$/;
/** The name of a thing at the place that returned it: `b3f0c7a2-…`. An address has dots or an `@`. */
const IDENTIFIER = /^[\w-]+$/;

/** A text that a tool has returned. */
interface ReadText {
  readonly text: string;
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
    const kept = text.slice(0, MOST_TEXT);
    this.#read.push({ ...origin, text: kept });
    this.#size += kept.length;
    while (this.#size > MOST_TEXT) this.#size -= this.#read.shift()!.text.length;
  }

  /** Remembers a prompt: what the user has written may be used without another question. */
  addUserWords(text: string): void {
    this.#userWords = `${this.#userWords}\n${text}`.slice(-MOST_TEXT);
  }

  /**
   * Explains where an argument of a call that acts outside the workspace was copied from, as a clause to ask with:
   * `its argument url, "https://…", was read by <R:notes.md> in home`; undefined when no argument was copied. Texts of 16
   * characters or more count, and addresses and commands of any length; paths below the workspace, what the user
   * wrote, and names that go back to the space that returned them do not.
   *
   * @param space dotted, of the call
   */
  explainCopy(args: Arguments, space: string): string | undefined {
    for (const [name, text] of walkArguments(args)) {
      for (const part of [text, ...(text.match(URL) ?? [])]) {
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
    return this.#read.findLast(({ text, space, sent = '' }) => {
      if ((isName && space === to) || sent.includes(argument)) return false;
      return text.includes(argument) || removeLayout(text).includes(wanted);
    });
  }
}

type Arguments = Readonly<Record<string, unknown>>;

/** The text without the numbers that a tool puts before lines, without indents and without empty lines. */
export function removeLayout(text: string): string {
  return text
    .split('\n')
    .map((line) => line.replace(/^[-+ ]?\d+\|/, '').trim())
    .filter((line) => line !== '')
    .join('\n');
}

/** Every text in arguments, with the name of the argument; those inside of objects and lists too. */
function* walkArguments(args: Arguments): Generator<readonly [name: string, text: string]> {
  for (const [name, value] of Object.entries(args)) {
    if (typeof value === 'string') yield [name, value];
    else if (typeof value === 'object' && value !== null) {
      for (const [, text] of walkArguments(value as Arguments)) yield [name, text];
    }
  }
}
