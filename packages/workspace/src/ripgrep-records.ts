import { BINARY_PROBE } from './is-binary.ts';
import type { GrepRow } from './grep-result.ts';
import type { MatchCollector } from './match-collector.ts';
import { matchText } from './match-text.ts';

/** Text as ripgrep gives it: as it is, or as Base64 when it is not UTF-8. */
interface RipgrepText {
  readonly text?: string;
  readonly bytes?: string;
}

type RipgrepRecord =
  | { readonly type: 'begin' | 'context' }
  | { readonly type: 'match'; readonly data: RipgrepMatch }
  | { readonly type: 'end'; readonly data: { readonly binary_offset: number | null } }
  | { readonly type: 'summary'; readonly data: { readonly stats: { readonly searches: number } } };

interface RipgrepMatch {
  readonly path: RipgrepText;
  readonly lines: RipgrepText;
  readonly line_number: number;
  readonly submatches: readonly { readonly start: number }[];
}

/** Turns ripgrep's JSON records, which come file by file, into rows. Binary files are left out. */
export class RipgrepRecords {
  readonly #collector: MatchCollector;
  readonly #limit: number;
  #rows: GrepRow[] = [];
  #matches = 0;

  constructor(collector: MatchCollector, limit: number) {
    this.#collector = collector;
    this.#limit = limit;
  }

  /** Takes one line of output; undefined stands for a match too long to be kept. */
  take(line: string | undefined): void {
    if (line === undefined) {
      this.#matches++;
      return;
    }
    const record = JSON.parse(line) as RipgrepRecord;
    if (record.type === 'match') this.#match(record.data);
    else if (record.type === 'end') this.#end((record.data.binary_offset ?? BINARY_PROBE) < BINARY_PROBE);
    else if (record.type === 'summary') this.#collector.looked(record.data.stats.searches);
  }

  #match({ path, lines, line_number, submatches }: RipgrepMatch): void {
    this.#matches++;
    if (this.#rows.length >= this.#limit) return;
    const line = textOf(lines)
      .toString()
      .replace(/\r?\n$/, '');
    const start = textOf(lines)
      .subarray(0, submatches[0]?.start ?? 0)
      .toString().length;
    const shown = textOf(path).toString().replace(/^\.\//, '');
    this.#rows.push({ path: shown, line: line_number, text: matchText(line, start) });
  }

  #end(binary: boolean): void {
    if (!binary && this.#matches > 0) this.#collector.add(this.#rows, this.#matches);
    this.#rows = [];
    this.#matches = 0;
  }
}

function textOf({ text, bytes }: RipgrepText): Buffer {
  return text === undefined ? Buffer.from(bytes ?? '', 'base64') : Buffer.from(text);
}
