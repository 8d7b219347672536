import { getPageLength } from '@bae/core';
import { countUnits } from '@bae/core/pipeline';

/** Splits a text into lines, each with the line feed that ends it; the last may have none. */
export function splitLines(text: string): string[] {
  return text.match(/[^\n]*\n|[^\n]+/g) ?? [];
}

/**
 * Counts the lines from an index on that fit on one page; 0 when the first one alone does not fit.
 *
 * @param length maximum length of a page in characters. Default: that for the default answer limit
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

/**
 * Maximum length of lines that are shown as one page, relative to a page: another page for a few lines costs more than
 * showing them.
 */
const LAST_PAGE_SHARE = 1.25;

/** Counts the lines that fit on one page, or all lines if they are only a little longer than a page. */
export function countLinesOnLastPage(lines: readonly string[], from: number, length: number = getPageLength()): number {
  const all = lines.length - from;
  return countLinesOnPage(lines, from, length * LAST_PAGE_SHARE) === all ? all : countLinesOnPage(lines, from, length);
}

/** Number of pages that requested lines may fill, since the rest of them would be requested next. */
export const PAGES_OF_RANGE = 4;
/** Number of pages up to which something is shown whole although no lines were requested. */
const PAGES_OF_WHOLE = 3;

/** Maximum length of requested lines, in units: the router cuts answers of more than 20,000 in the middle. */
const LONGEST_RANGE = 19_500;

/**
 * Returns the number of characters that requested lines may have: several pages, or fewer if that would be more than an
 * answer may have. Short lines have long numbers, and some characters are several tokens each.
 */
export function getRangeLength(lines: readonly string[], first: number, page: number): number {
  for (let pages = PAGES_OF_RANGE; pages > 1; pages--) {
    const length = page * pages;
    const shown = lines.slice(0, countLinesOnLastPage(lines, 0, length));
    // Line breaks are in the lines; only the numbers and their marks are added.
    const numbers = shown.reduce((sum, _, index) => sum + String(first + index).length + 1, 0);
    const units = countUnits(shown.join('')) + numbers;
    if (units <= Math.min(length * 1.5, LONGEST_RANGE)) return length;
  }
  return page;
}

/** Returns the number of characters up to which a file is shown whole: a few pages, or one as for requested lines. */
export function getWholeLength(lines: readonly string[], page: number): number {
  return Math.min(getRangeLength(lines, 1, page), page * PAGES_OF_WHOLE);
}

/** Returns the first characters of a text, one fewer if the cut would split a surrogate pair. */
export function takeFirstCharacters(text: string, length: number): string {
  const isDivided = text.length > length && /[\ud800-\udbff]/.test(text.charAt(length - 1));
  return text.slice(0, isDivided ? length - 1 : length);
}

export function stripLineFeed(line: string): string {
  return line.endsWith('\n') ? line.slice(0, -1) : line;
}

/** Renders lines with their numbers from `first` on: `2|text`. */
export function renderNumbered(lines: readonly string[], first: number): string {
  return lines.map((line, index) => `${first + index}|${stripLineFeed(line)}`).join('\n');
}

/** Renders a range as it is written in a tag and in a sentence: `2-3`, or `5` for a single line. */
export function renderRange(first: number, last: number): string {
  return first === last ? String(first) : `${first}-${last}`;
}

/** Formats a number with its noun: `1 line`, `12 chars`. */
export function formatQuantity(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? '' : 's'}`;
}

/** Formats numbers of lines before and after a change: `2 -> 1 lines`, or `3 lines` where there are as many. */
export function formatLineChange(before: number, after: number): string {
  return before === after ? formatQuantity(after, 'line') : `${before} -> ${after} lines`;
}
