import { withoutFeed } from './text-lines.ts';

const NUMBER_WIDTH = 4;

/**
 * Lines with their numbers: `   2 | text`.
 *
 * @param first number of the first line
 */
export function renderNumbered(lines: readonly string[], first: number): string {
  return lines
    .map((line, index) => `${String(first + index).padStart(NUMBER_WIDTH)} | ${withoutFeed(line)}`)
    .join('\n');
}

/** A range as it is written in a tag and in a sentence: `2-3`, or `5` for a single line. */
export function renderRange(first: number, last: number): string {
  return first === last ? String(first) : `${first}-${last}`;
}
