import { LineRangeError, pageLength, type LineRange, type ToolContext } from '@bae/core';
import { counted, linesOnPage, renderNumbered, renderRange } from '@bae/workspace';
import type { TextLines } from './text-lines.ts';

/** Lines of something that has an address. */
export interface LinesRequest {
  readonly lines: TextLines;
  readonly range: LineRange;
  /** First and last line of what is read. */
  readonly within: readonly [first: number, last: number];
  readonly address: string;
  /** Words a tag for whoever reads. */
  readonly tag: ToolContext['tag'];
}

/** Lines as they are, all of them with their line breaks and nothing else: what code gets. */
export function textOfLines({ lines, range, within: [first, last] }: Omit<LinesRequest, 'tag'>): string {
  return lines.all.slice(Math.max(range[0], first) - 1, Math.min(range[1] ?? last, last)).join('');
}

/**
 * Lines with their numbers, as many as fit one page, and the tag for the rest.
 *
 * @throws LineRangeError when what is read has none of them
 */
export function renderLines({ lines, range, within: [first, last], address, tag }: LinesRequest): string {
  const from = Math.max(range[0], first);
  const to = Math.min(range[1] ?? last, last);
  if (from > to) {
    const asked = range[1] === null ? `${range[0]}-` : renderRange(range[0], range[1]);
    const has = first === 1 ? `has ${counted(last, 'line')}` : `is lines ${first}-${last} of its module`;
    throw new LineRangeError(`${address} ${has}; asked for ${asked}.`, [`<R:${address}>`]);
  }
  const wanted = lines.all.slice(from - 1, to);
  const fitting = Math.min(linesOnPage(wanted, 0), wanted.length);
  if (fitting === wanted.length) return renderNumbered(wanted, from);
  if (fitting === 0) return longLine(wanted[0] as string, from, tag(`<R:${address}:${from + 1}>`));
  const next = from + fitting;
  const rest = linesOnPage(wanted, fitting) || 1;
  const after = tag(`<R:${address}:${renderRange(next, Math.min(next + rest - 1, to))}>`);
  return `${renderNumbered(wanted.slice(0, fitting), from)}\n[lines ${renderRange(from, next - 1)} of ${last}; next: ${after}]`;
}

/** A line that is longer than a page is shown as far as it fits. */
function longLine(line: string, number: number, next: string): string {
  const points = Array.from(line.slice(0, pageLength()));
  return `${renderNumbered([points.join('')], number)}\n[line ${number} has ${line.length} characters; next: ${next}]`;
}
