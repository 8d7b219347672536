import { getPageLength } from '@bae/core';

/** The lines of a text, each with the line feed that ends it; the last may have none. */
export function splitLines(text: string): string[] {
  return text.match(/[^\n]*\n|[^\n]+/g) ?? [];
}

/**
 * How many lines, from an index on, fit one page; 0 when the first alone does not.
 *
 * @param length most characters of a page. Default: those at the default answer limit
 */
export function countLinesOnPage(lines: readonly string[], from: number, length: number = getPageLength()): number {
  let characters = 0;
  let count = 0;
  for (; from + count < lines.length; count++) {
    const line = lines[from + count] as string;
    // The line feed of the last line is not rendered, so it may exceed the page.
    if (characters + stripLineFeed(line).length > length) break;
    characters += line.length;
  }
  return count;
}

/** How much longer than a page lines may be that are shown as one: a rest of a few lines costs more than it takes. */
const LAST_PAGE_SHARE = 1.25;

/** The same, but all lines when they are only a little longer than one page. */
export function countLinesOnLastPage(lines: readonly string[], from: number, length: number = getPageLength()): number {
  const all = lines.length - from;
  return countLinesOnPage(lines, from, length * LAST_PAGE_SHARE) === all ? all : countLinesOnPage(lines, from, length);
}

/** The first characters of a text, one less where the cut would divide a surrogate pair. */
export function takeFirstCharacters(text: string, length: number): string {
  const isDivided = text.length > length && /[\ud800-\udbff]/.test(text.charAt(length - 1));
  return text.slice(0, isDivided ? length - 1 : length);
}

export function stripLineFeed(line: string): string {
  return line.endsWith('\n') ? line.slice(0, -1) : line;
}

/** Lines with their numbers from `first` on: `2|text`. */
export function renderNumbered(lines: readonly string[], first: number): string {
  return lines.map((line, index) => `${first + index}|${stripLineFeed(line)}`).join('\n');
}

/** A range as it is written in a tag and in a sentence: `2-3`, or `5` for a single line. */
export function renderRange(first: number, last: number): string {
  return first === last ? String(first) : `${first}-${last}`;
}

/** A number and its noun: `1 line`, `12 chars`. */
export function formatQuantity(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? '' : 's'}`;
}
