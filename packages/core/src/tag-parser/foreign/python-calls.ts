import type { NamedCall } from './translate-call.ts';

const CONSTANTS: ReadonlyMap<string, unknown> = new Map<string, unknown>([
  ['True', true],
  ['true', true],
  ['False', false],
  ['false', false],
  ['None', null],
  ['null', null],
]);
const ESCAPES: Readonly<Record<string, string>> = { n: '\n', t: '\t', r: '\r', '0': '\0', '\n': '' };

/** Thrown when a text is no list of calls. */
class NotACall extends Error {}

/**
 * Reads calls in the syntax of Python, one after another or in a list: `read(path="a.ts")`, `print(read("a.ts"))`,
 * `result = grep("TODO", path="src")`.
 *
 * @param line the line of the text that the code begins on, from 1
 * @returns undefined when the code holds anything else than such calls
 */
export function readPythonCalls(code: string, line: number): readonly NamedCall[] | undefined {
  try {
    const calls = new PythonReader(code, line).readCalls();
    return calls.length === 0 ? undefined : calls;
  } catch (error) {
    if (error instanceof NotACall) return undefined;
    throw error;
  }
}

/** Reads the calls and literals of Python from left to right. */
class PythonReader {
  readonly #code: string;
  #at = 0;
  #line: number;
  #lineAt = 0;

  constructor(code: string, line: number) {
    this.#code = code;
    this.#line = line;
  }

  readCalls(): readonly NamedCall[] {
    const calls: NamedCall[] = [];
    for (this.#skip(); this.#at < this.#code.length; this.#skip(';,')) {
      if (this.#take('[')) this.#readItems(']', () => calls.push(this.#readCall()));
      else calls.push(this.#readCall());
    }
    return calls;
  }

  #readCall(): NamedCall {
    const line = this.#lineOf();
    const name = this.#readName();
    if (this.#take('=') || name === 'await') return this.#readCall();
    if (!this.#take('(')) throw new NotACall();
    if (name === 'print') {
      const call = this.#readCall();
      if (!this.#take(')')) throw new NotACall();
      return call;
    }
    return { name, ...this.#readArguments(), line };
  }

  #readArguments(): Pick<NamedCall, 'args' | 'values'> {
    const args: Record<string, unknown> = {};
    const values: unknown[] = [];
    this.#readItems(')', () => {
      const key = /^([A-Za-z_]\w*)\s*=(?!=)/.exec(this.#code.slice(this.#at, this.#at + 128));
      if (!key) return values.push(this.#readValue());
      this.#at += key[0].length;
      this.#skip();
      return Object.defineProperty(args, key[1]!, { value: this.#readValue(), enumerable: true, configurable: true });
    });
    return { args, values };
  }

  /** Reads items with commas between them, up to a bracket. */
  #readItems(end: string, readItem: () => void): void {
    while (!this.#take(end)) {
      readItem();
      if (!this.#take(',') && this.#peek() !== end) throw new NotACall();
    }
  }

  #readValue(depth = 0): unknown {
    if (depth > 100) throw new NotACall();
    if (this.#take('[')) return this.#readList(']', depth);
    if (this.#take('(')) return this.#readList(')', depth);
    if (this.#take('{')) return this.#readObject(depth);
    if (/^(?:[rRbBfFuU]?["'])/.test(this.#code.slice(this.#at, this.#at + 2))) return this.#readTexts();
    const number = /^[+-]?(?:\d[\d_]*\.?\d*|\.\d+)(?:[eE][+-]?\d+)?/.exec(this.#code.slice(this.#at, this.#at + 64));
    if (number) {
      this.#at += number[0].length;
      this.#skip();
      return Number(number[0].replaceAll('_', ''));
    }
    const name = this.#readName();
    if (!CONSTANTS.has(name)) throw new NotACall();
    return CONSTANTS.get(name);
  }

  #readList(end: string, depth: number): readonly unknown[] {
    const values: unknown[] = [];
    this.#readItems(end, () => values.push(this.#readValue(depth + 1)));
    return values;
  }

  #readObject(depth: number): Readonly<Record<string, unknown>> {
    const entries: [string, unknown][] = [];
    this.#readItems('}', () => {
      const key = this.#readValue(depth + 1);
      if ((typeof key !== 'string' && typeof key !== 'number') || !this.#take(':')) throw new NotACall();
      entries.push([String(key), this.#readValue(depth + 1)]);
    });
    return Object.fromEntries(entries);
  }

  /** Reads a string, and those that follow it directly, which Python joins. */
  #readTexts(): string {
    let text = '';
    do text += this.#readText();
    while (/^[rRbBuU]?["']/.test(this.#code.slice(this.#at, this.#at + 2)));
    return text;
  }

  #readText(): string {
    const prefix = this.#peek() === '"' || this.#peek() === "'" ? '' : this.#code.charAt(this.#at++);
    const mark = this.#code.charAt(this.#at);
    const quote = this.#code.startsWith(mark.repeat(3), this.#at) ? mark.repeat(3) : mark;
    const isRaw = prefix.toLowerCase() === 'r';
    const start = (this.#at += quote.length);
    const pieces: string[] = [];
    let from = start;
    for (let index = start; index < this.#code.length; index++) {
      if (this.#code.startsWith(quote, index)) {
        pieces.push(this.#code.slice(from, index));
        this.#at = index + quote.length;
        this.#skip();
        return pieces.join('');
      }
      const character = this.#code.charAt(index);
      if (character === '\n' && quote.length === 1) break;
      if (character !== '\\') continue;
      if (!isRaw) {
        const { text, length } = readEscape(this.#code, index + 1);
        pieces.push(this.#code.slice(from, index), text);
        from = index + 1 + length;
        index = from - 1;
      } else index++;
    }
    throw new NotACall();
  }

  #readName(): string {
    const name = /^[A-Za-z_][\w.]*/.exec(this.#code.slice(this.#at, this.#at + 256))?.[0];
    if (name === undefined) throw new NotACall();
    this.#at += name.length;
    this.#skip();
    return name;
  }

  #peek(): string {
    return this.#code.charAt(this.#at);
  }

  #take(mark: string): boolean {
    if (this.#peek() !== mark) return false;
    this.#at++;
    this.#skip();
    return true;
  }

  /** Skips white space, comments and the given marks. */
  #skip(marks = ''): void {
    while (this.#at < this.#code.length) {
      const character = this.#peek();
      if (character === '#') {
        const end = this.#code.indexOf('\n', this.#at);
        this.#at = end === -1 ? this.#code.length : end;
      } else if (!' \t\r\n'.includes(character) && !marks.includes(character)) return;
      else this.#at++;
    }
  }

  /** The number of the line that has been reached. */
  #lineOf(): number {
    for (let at = this.#code.indexOf('\n', this.#lineAt); at !== -1 && at < this.#at;) {
      this.#line++;
      this.#lineAt = at + 1;
      at = this.#code.indexOf('\n', this.#lineAt);
    }
    return this.#line;
  }
}

/** Reads what follows a backslash in a string. */
function readEscape(code: string, at: number): { readonly text: string; readonly length: number } {
  const character = code.charAt(at);
  const digits = { x: 2, u: 4, U: 8 }[character];
  if (digits !== undefined) {
    const hex = code.slice(at + 1, at + 1 + digits);
    const point = /^[\da-f]+$/i.test(hex) && hex.length === digits ? Number.parseInt(hex, 16) : Number.NaN;
    if (point <= 0x10_ff_ff) return { text: String.fromCodePoint(point), length: digits + 1 };
  }
  if (Object.hasOwn(ESCAPES, character)) return { text: ESCAPES[character]!, length: 1 };
  return /["'\\]/.test(character) ? { text: character, length: 1 } : { text: `\\${character}`, length: 1 };
}
