import { getPageLength, type LineRange, type ToolContext } from '@bae/core';
import {
  countLinesOnPage,
  formatPath,
  renderNumbered,
  renderRange,
  splitLines,
  takeFirstCharacters,
  type WorkspaceRoot,
} from '@bae/workspace';
import type { FileTarget } from './file-target.ts';

/** A part of a file, as it is read. */
export type TextWindow = Awaited<ReturnType<WorkspaceRoot['readWindow']>>;

/** The part of a file that a page begins, and what the page refers to. */
interface PageSource {
  /** The text from the first line and column on: this page, and enough of what follows to know the next one. */
  readonly lines: readonly string[];
  readonly first: number;
  readonly total: number;
  /** True when the last line of the file has no line feed. */
  readonly endless: boolean;
  readonly length: number;
  /** The tag that reads a part of the file: `2-40`, or `7@1001` for the seventh line from a character on. */
  readonly tagOf: (part: string) => string;
}

/**
 * A page as it is read: the text, and where needed a last line with the tag of the next page.
 *
 * The beginning of a file is shown as it is, lines that were asked for with their numbers. Following the `next`
 * tags to their end gives the whole file back exactly: a line feed after every page of lines and every
 * last piece of a line, unless the last page notes that there is none.
 */
export function renderFilePage(
  { path, range, column }: FileTarget,
  window: TextWindow,
  { tag, answerLimit }: ToolContext,
): string {
  const source: PageSource = {
    lines: splitLines(window.text),
    first: range?.[0] ?? 1,
    total: window.lines,
    endless: !window.cut && !window.text.endsWith('\n'),
    length: getPageLength(answerLimit),
    tagOf: (part) => tag(`<R:${formatPath(path)}:${part}>`),
  };
  const count = column === undefined ? countLinesOnPage(source.lines, 0, source.length) : 0;
  if (count === 0) return renderPiece(source, column ?? 1, window.lineLength);
  return renderWholeLines(source, { count, range, isLong: window.size > source.length });
}

interface LinesOnPage {
  readonly count: number;
  /** The lines that were asked for; absent when it was the file. */
  readonly range: LineRange | undefined;
  readonly isLong: boolean;
}

function renderWholeLines(source: PageSource, page: LinesOnPage): string {
  const { lines, first, total } = source;
  const { count, range } = page;
  const last = Math.min(first + count - 1, range?.[1] ?? Infinity);
  const shown = lines.slice(0, last - first + 1);
  if (range === undefined && last === total) return shown.join('');
  const body = range === undefined ? shown.join('').replace(/\n$/, '') : renderNumbered(shown, first);
  const footer = renderFooter(source, page, last);
  return footer === undefined ? body : `${body}\n[${footer}]`;
}

function renderFooter(source: PageSource, { count, range, isLong }: LinesOnPage, last: number): string | undefined {
  const { first, total, endless } = source;
  const place = `${first === last ? 'line' : 'lines'} ${renderRange(first, last)}`;
  if (last - first + 1 === count && last < total) {
    const asked = range?.[1] ?? total;
    return `${place} of ${total}; next: ${renderNextTag(source, count, asked > last ? asked : total)}`;
  }
  if (last < total) return undefined;
  const notes = [];
  if ((range?.[1] ?? 0) > total) notes.push(`file has ${total}`);
  // Needed to put pages together; a short range is read for its own sake.
  if (endless && isLong) notes.push('no newline at end of file');
  return notes.length === 0 ? undefined : [place, ...notes].join('; ');
}

/** A piece of a line that is longer than a page, from a column on. */
function renderPiece(source: PageSource, column: number, lineLength: number): string {
  const { lines, first, total, endless, length, tagOf } = source;
  const body = takeFirstCharacters((lines[0] ?? '').replace(/\n$/, ''), length);
  const last = column + body.length - 1;
  const place = `line ${first} of ${total}, characters ${column}-${last} of ${lineLength}`;
  if (last < lineLength) return `${body}\n[${place}; next: ${tagOf(`${first}@${last + 1}`)}]`;
  if (first === total) return `${body}\n[${place}${endless ? '; no newline at end of file' : ''}]`;
  return `${body}\n[${place}; next: ${renderNextTag(source, 1, total)}]`;
}

/** The tag of the page after some lines, up to a last line. */
function renderNextTag({ lines, first, length, tagOf }: PageSource, after: number, end: number): string {
  const line = first + after;
  const count = countLinesOnPage(lines, after, length);
  return tagOf(count === 0 ? `${line}@1` : renderRange(line, Math.min(line + count - 1, end)));
}
