/** Texts in the formats of JSON Schema. */
const FORMATS: Readonly<Record<string, string>> = {
  date: '2026-01-31',
  'date-time': '2026-01-31T12:00:00Z',
  time: '12:00:00Z',
  duration: 'P1D',
  email: 'me@example.com',
  hostname: 'example.com',
  ipv4: '192.0.2.1',
  ipv6: '2001:db8::1',
  uri: 'https://example.com',
  'uri-reference': 'https://example.com',
  uuid: '00000000-0000-4000-8000-000000000000',
};

/** Characters that a class is tried with, the usual ones first. */
const CHARACTERS = Array.from('a1A0-_./ @:,#é');
const LONGEST_PATTERN = 300;
/** How many times more than necessary a part is repeated, in several samples. */
const REPEATS = [0, 1, 3, 7, 20];

/** Returns a text in a format; undefined for an unknown format. */
export function sampleFormat(format: string): string | undefined {
  return Object.hasOwn(FORMATS, format) ? FORMATS[format] : undefined;
}

/** Makes short texts that probably match a pattern. It only knows what is usual in patterns. */
export function samplePattern(pattern: string): readonly string[] {
  if (pattern.length > LONGEST_PATTERN) return [];
  return [...new Set(REPEATS.flatMap((more) => new PatternSampler(pattern, more).sample() ?? []))];
}

/** Reads a pattern from left to right, and writes what it reads. */
class PatternSampler {
  readonly #pattern: string;
  readonly #more: number;
  #at = 0;

  constructor(pattern: string, more: number) {
    this.#pattern = pattern;
    this.#more = more;
  }

  sample(): string | undefined {
    const text = this.#readAlternatives();
    return this.#at === this.#pattern.length ? text : undefined;
  }

  /** Writes the first alternative. */
  #readAlternatives(): string | undefined {
    const first = this.#readSequence();
    while (this.#take('|')) if (this.#readSequence() === undefined) return undefined;
    return first;
  }

  #readSequence(): string | undefined {
    let text = '';
    while (this.#at < this.#pattern.length && !'|)'.includes(this.#pattern[this.#at]!)) {
      const part = this.#readPart();
      if (part === undefined) return undefined;
      text += part.repeat(this.#readCount());
    }
    return text;
  }

  #readPart(): string | undefined {
    if (this.#take('(')) {
      const isGroup = this.#pattern[this.#at] !== '?' || this.#skip(/\?(?::|<\w+>)/y) !== undefined;
      const inner = isGroup ? this.#readAlternatives() : undefined;
      return this.#take(')') ? inner : undefined;
    }
    if (this.#skip(/[$^]|\\b/y) !== undefined) return '';
    const one = this.#skip(/\[(?:\\.|[^\]\\])+\]|\\[dDwWsS]|\\[pP]\{\w+\}|\./y);
    if (one !== undefined) return chooseCharacter(one);
    return this.#skip(/\\[^\w]|[^\\[\](){}*+?.|]/y)?.replace('\\', '');
  }

  #readCount(): number {
    const mark = this.#skip(/(?:[*+?]|\{\d+(?:,\d*)?\})\??/y);
    if (mark === undefined) return 1;
    if (mark.startsWith('?')) return 0;
    if (mark.startsWith('*')) return this.#more;
    if (mark.startsWith('+')) return 1 + this.#more;
    const [least, most = least] = mark.slice(1, mark.indexOf('}')).split(',') as [string, string?];
    return Math.min(Number(least) + this.#more, most === '' ? Infinity : Number(most), 100);
  }

  #take(mark: string): boolean {
    if (this.#pattern[this.#at] !== mark) return false;
    this.#at++;
    return true;
  }

  #skip(token: RegExp): string | undefined {
    token.lastIndex = this.#at;
    const found = token.exec(this.#pattern)?.[0];
    this.#at += found?.length ?? 0;
    return found;
  }
}

function chooseCharacter(one: string): string | undefined {
  try {
    const matches = new RegExp(`^${one}$`, 'u');
    return CHARACTERS.find((character) => matches.test(character));
  } catch {
    return undefined;
  }
}
