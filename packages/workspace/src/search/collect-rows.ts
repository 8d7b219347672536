import type { MatchRow } from './grep-query.ts';

// The thread that searches loads this file: what it imports is loaded for each search.

/** Maximum length of a row as displayed, in characters. */
export const ROW_WIDTH = 200;
/** Number of characters kept before a match that would otherwise be cut off on the right. */
const BEFORE = 40;

/**
 * Collects the matching rows of a file: the first `most`, and then the first of each kind, up to as many again. Others
 * are only counted, because there may be tens of thousands.
 */
export class RowCollector {
  readonly rows: CollectedRow[] = [];
  readonly #most: number;
  /** The first rows of each kind after the first `most` rows. */
  readonly #firsts = new Map<string | number, CollectedRow>();

  constructor(most = Infinity) {
    this.#most = most;
  }

  /** @param takeKind returns the same for rows that differ only in numbers */
  add(createRow: () => MatchRow, takeKind: () => string | number): void {
    const { rows } = this;
    if (rows.length < this.#most) return void rows.push(createRow());
    const kind = takeKind();
    const first = this.#firsts.get(kind);
    if (first !== undefined) first.alike = (first.alike ?? 0) + 1;
    else if (rows.length < this.#most * 2) {
      const row = createRow();
      rows.push(row);
      this.#firsts.set(kind, row);
    }
  }
}

interface CollectedRow extends Omit<MatchRow, 'alike'> {
  alike?: number;
}

/** Renders a line with a match at `start` for display, and up to `width` characters for code if that is more. */
export function renderMatch(line: string, start: number, width: number): Omit<MatchRow, 'line'> {
  const text = cutLine(line, start, ROW_WIDTH);
  return line.trim().length <= ROW_WIDTH ? { text } : { text, long: cutLine(line, start, width) };
}

/** Trims a matching line and cuts it to `width` characters around the match at `start`. */
export function cutLine(line: string, start: number, width: number): string {
  const text = line.trim();
  if (text.length <= width) return text;
  const at = start - (line.length - line.trimStart().length);
  if (at < width - BEFORE) return `${stripHalves(text.slice(0, width - 1))}…`;
  const from = Math.min(at - BEFORE, text.length - width + 1);
  const end = from + width - 2;
  return end >= text.length - 1 ? `…${stripHalves(text.slice(from))}` : `…${stripHalves(text.slice(from, end))}…`;
}

/** Strips the half of a surrogate pair that a cut may leave at either end. */
function stripHalves(text: string): string {
  return text.replace(/^[\udc00-\udfff]/, '').replace(/[\ud800-\udbff]$/, '');
}
