import { findLineEnd, findQuote, matchAt } from '../characters.ts';
import type { NamedCall } from './translate-call.ts';

const CONSTANTS: ReadonlyMap<string, unknown> = new Map(
  Object.entries({ True: true, true: true, False: false, false: false, None: null, null: null }),
);
const ESCAPES = new Map(
  Object.entries({ n: '\n', t: '\t', r: '\r', '0': '\0', '\n': '', '"': '"', "'": "'", '\\': '\\' }),
);
const ESCAPE_OR_BREAK = /\\(?:x[\da-fA-F]{2}|u[\da-fA-F]{4}|U[\da-fA-F]{8}|[^])|\n/g;
const NAME = /[A-Za-z_][\w.]*/y;
const KEY = /([A-Za-z_]\w*)\s*=(?!=)/y;
const NUMBER = /[+-]?(?:\d[\d_]*\.?\d*|\.\d+)(?:[eE][+-]?\d+)?/y;
const QUOTE = /([rRbBfFuU]?)("""|'''|["'])/y;
const DEEPEST = 100;

interface PythonCall extends NamedCall {
  readonly end: number;
}

class NotACall extends Error {}

/**
 * Reads calls in Python syntax, one after another or in a list: `read(path="a.ts")`, `print(read("a.ts"))`, `result =
 * grep("TODO", path="src")`.
 *
 * @returns undefined if the code contains anything other than such calls
 */
export function readPythonCalls(code: string): readonly PythonCall[] | undefined {
  try {
    const calls = new PythonReader(code).readCalls();
    return calls.length === 0 ? undefined : calls;
  } catch (error) {
    if (error instanceof NotACall) return undefined;
    throw error;
  }
}

class PythonReader {
  readonly #code: string;
  #at = 0;

  constructor(code: string) {
    this.#code = code;
  }

  readCalls(): readonly PythonCall[] {
    const calls: PythonCall[] = [];
    for (this.#skip(); this.#at < this.#code.length; this.#skip(';,')) {
      if (this.#take('[')) this.#readItems(']', () => calls.push(this.#readCall()));
      else calls.push(this.#readCall());
    }
    return calls;
  }

  /** Reads a call, without any assignment, `await` or `print` around it. */
  #readCall(): PythonCall {
    for (let prints = 0; ;) {
      const at = this.#at;
      const name = this.#readName();
      if (this.#take('=') || name === 'await') continue;
      this.#expect('(');
      if (name === 'print') {
        prints++;
        continue;
      }
      const items = this.#readItems(')', () => ({ key: this.#match(KEY)?.[1], value: this.#readValue(0) }));
      const end = this.#code.slice(0, this.#at).trimEnd().length;
      while (prints-- > 0) this.#expect(')');
      const args = items.flatMap(({ key, value }) => (key === undefined ? [] : [[key, value] as const]));
      const values = items.filter(({ key }) => key === undefined).map(({ value }) => value);
      return { name, args: Object.fromEntries(args), values, at, end };
    }
  }

  /** Reads items separated by commas, up to a bracket. */
  #readItems<T>(end: string, readItem: () => T): readonly T[] {
    const items: T[] = [];
    while (!this.#take(end)) {
      items.push(readItem());
      if (!this.#take(',') && this.#code.charAt(this.#at) !== end) throw new NotACall();
    }
    return items;
  }

  #readValue(depth: number): unknown {
    if (depth > DEEPEST) throw new NotACall();
    const readInner = () => this.#readValue(depth + 1);
    if (this.#take('[')) return this.#readItems(']', readInner);
    if (this.#take('(')) return this.#readItems(')', readInner);
    if (this.#take('{')) return Object.fromEntries(this.#readItems('}', () => this.#readEntry(readInner)));
    const text = this.#readText();
    if (text !== undefined) return text;
    const number = this.#match(NUMBER);
    if (number) return Number(number[0].replaceAll('_', ''));
    const name = this.#readName();
    if (!CONSTANTS.has(name)) throw new NotACall();
    return CONSTANTS.get(name);
  }

  #readEntry(readInner: () => unknown): readonly [key: string, value: unknown] {
    const key = readInner();
    if (typeof key !== 'string' && typeof key !== 'number') throw new NotACall();
    this.#expect(':');
    return [String(key), readInner()];
  }

  /** Reads a string and any that follow it directly, which Python joins; returns undefined if there is none. */
  #readText(): string | undefined {
    let text: string | undefined;
    for (let open = matchAt(QUOTE, this.#code, this.#at); open; open = matchAt(QUOTE, this.#code, this.#at)) {
      const [whole, prefix, quote = ''] = open;
      const start = this.#at + whole.length;
      const end = findQuote(this.#code, start, quote);
      if (end === -1) throw new NotACall();
      const decoded = this.#code.slice(start, end).replace(ESCAPE_OR_BREAK, (escape) => {
        if (escape === '\n' && quote.length === 1) throw new NotACall();
        return prefix === 'r' || prefix === 'R' ? escape : decodeEscape(escape);
      });
      text = (text ?? '') + decoded;
      this.#at = end + quote.length;
      this.#skip();
    }
    return text;
  }

  #readName(): string {
    const name = this.#match(NAME);
    if (!name) throw new NotACall();
    return name[0];
  }

  #match(pattern: RegExp): RegExpExecArray | null {
    const match = matchAt(pattern, this.#code, this.#at);
    if (match) {
      this.#at += match[0].length;
      this.#skip();
    }
    return match;
  }

  #expect(mark: string): void {
    if (!this.#take(mark)) throw new NotACall();
  }

  #take(mark: string): boolean {
    if (this.#code.charAt(this.#at) !== mark) return false;
    this.#at++;
    this.#skip();
    return true;
  }

  /** Skips whitespace, comments and the given marks. */
  #skip(marks = ''): void {
    for (; this.#at < this.#code.length; this.#at++) {
      const character = this.#code.charAt(this.#at);
      if (character === '#') this.#at = findLineEnd(this.#code, this.#at);
      else if (!' \t\r\n'.includes(character) && !marks.includes(character)) return;
    }
  }
}

/** Decodes a backslash and the characters after it; a line break in a long string stays as it is. */
function decodeEscape(escape: string): string {
  if (escape.length <= 2) return ESCAPES.get(escape.slice(1)) ?? escape;
  const point = Number.parseInt(escape.slice(2), 16);
  return point <= 0x10_ff_ff ? String.fromCodePoint(point) : escape;
}
