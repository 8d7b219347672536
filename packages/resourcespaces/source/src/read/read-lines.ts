import { LineRangeError, getPageLength, type LineRange } from '@bae/core';
import { formatQuantity, countLinesOnPage, renderNumbered, renderRange, splitLines } from '@bae/workspace';
import { findLastAtMost } from '../language/text-spans.ts';
import type { PageContext } from './paging.ts';

/** The lines of a text by number, 1-based. */
export class TextLines {
  /** Each with the line feed that ends it. */
  readonly all: readonly string[];
  readonly #starts: readonly number[];
  readonly #end: number;

  constructor(text: string) {
    this.all = splitLines(text);
    this.#end = text.length;
    let at = 0;
    this.#starts = this.all.map((line) => (at += line.length) - line.length);
  }

  /** The line that an index is in. */
  lineAt(index: number): number {
    return Math.max(1, findLastAtMost(this.#starts, index) + 1);
  }

  /** The index that a line begins at; the end of the text for a line behind the last. */
  startOf(line: number): number {
    return this.#starts[line - 1] ?? this.#end;
  }
}

interface LinesRequest {
  readonly lines: TextLines;
  readonly range: LineRange;
  /** First and last line of what is read. */
  readonly within: readonly [first: number, last: number];
  readonly address: string;
}

/** The text of all lines with their line breaks: what code gets. */
export function sliceTargetLines({ lines, range, within: [first, last] }: LinesRequest): string {
  return lines.all.slice(Math.max(range[0], first) - 1, Math.min(range[1] ?? last, last)).join('');
}

/**
 * Lines with their numbers, as many as fit one page, and the tag for the rest.
 *
 * @throws LineRangeError when none of the lines exists
 */
export function renderTargetLines(
  { lines, range, within: [first, last], address }: LinesRequest,
  { tag, answerLimit }: PageContext,
): string {
  const length = getPageLength(answerLimit);
  const from = Math.max(range[0], first);
  const to = Math.min(range[1] ?? last, last);
  if (from > to) {
    const asked = range[1] === null ? `${range[0]}-` : renderRange(range[0], range[1]);
    const has = first === 1 ? `has ${formatQuantity(last, 'line')}` : `is lines ${first}-${last} of its module`;
    throw new LineRangeError(`${address} ${has}; asked for ${asked}.`, [`<R:${address}>`]);
  }
  const wanted = lines.all.slice(from - 1, to);
  const count = countLinesOnPage(wanted, 0, length);
  if (count === wanted.length) return renderNumbered(wanted, from);
  if (count === 0) {
    const line = wanted[0] as string;
    const next = tag(`<R:${address}:${from + 1}>`);
    return `${renderNumbered([line.slice(0, length)], from)}\n[line ${from} has ${line.length} characters; next: ${next}]`;
  }
  const next = from + count;
  const rest = countLinesOnPage(wanted, count, length) || 1;
  const after = tag(`<R:${address}:${renderRange(next, Math.min(next + rest - 1, to))}>`);
  return `${renderNumbered(wanted.slice(0, count), from)}\n[lines ${renderRange(from, next - 1)} of ${last}; next: ${after}]`;
}
