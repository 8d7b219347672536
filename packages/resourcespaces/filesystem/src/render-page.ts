import type { LineRange } from '@bae/core';
import { countLinesOnPage, stripLineFeed, renderNumbered, renderRange } from '@bae/workspace';

/** What a page says about its file. */
interface PagedFile {
  /** The tag that reads a part of it: `2-40`, or `7@1001` for the seventh line from a character on. */
  readonly tagOf: (part: string) => string;
  /** Lines of the whole file. */
  readonly total: number;
  /** True when the last line has no line feed. */
  readonly endless: boolean;
  /** Bytes of the whole file. */
  readonly size: number;
  /** Most characters of a page. */
  readonly pageLength: number;
}

/** A part of a file that is shown at once: whole lines, or a piece of a line that is longer than a page. */
export type FilePage =
  | {
      readonly kind: 'lines';
      readonly file: PagedFile;
      /** The lines from `first` on: those of this page, and enough of what follows to know the next one. */
      readonly lines: readonly string[];
      readonly first: number;
      readonly last: number;
      /** The range that was asked for; absent when it was the file. */
      readonly asked?: LineRange | undefined;
      /** True when the file goes on, and its next line does not fit this page. */
      readonly full: boolean;
    }
  | {
      readonly kind: 'characters';
      readonly file: PagedFile;
      /** The text from line and column on, as lines. */
      readonly lines: readonly string[];
      readonly line: number;
      readonly column: number;
      /** Characters of the whole line. */
      readonly length: number;
    };

type LinesPage = Extract<FilePage, { kind: 'lines' }>;
type CharactersPage = Extract<FilePage, { kind: 'characters' }>;

/**
 * A page as it is read: the text, and where needed a last line that says how to go on.
 *
 * The beginning of a file is shown as it is, lines that were asked for with their numbers. Following the `next`
 * tags to their end gives the whole file back exactly: a line feed after every page of lines and every
 * last piece of a line, unless the last page says that there is none.
 */
export function renderFilePage(page: FilePage): string {
  return page.kind === 'lines' ? renderLinesPage(page) : renderCharactersPage(page);
}

function renderLinesPage(page: LinesPage): string {
  const { file, lines, first, last, asked } = page;
  const shown = lines.slice(0, last - first + 1);
  if (asked === undefined && last === file.total) return shown.join('');
  const body = asked === undefined ? stripLineFeed(shown.join('')) : renderNumbered(shown, first);
  const footer = renderFooter(page);
  return footer === undefined ? body : `${body}\n[${footer}]`;
}

function renderFooter({ file, lines, first, last, asked, full }: LinesPage): string | undefined {
  const place = `${first === last ? 'line' : 'lines'} ${renderRange(first, last)}`;
  if (full) {
    const bound = asked?.[1] ?? file.total;
    const next = renderNextTag({
      file,
      lines,
      at: last - first + 1,
      line: last + 1,
      bound: bound > last ? bound : file.total,
    });
    return `${place} of ${file.total}; next: ${next}`;
  }
  if (last < file.total) return undefined;
  const notes = [];
  if ((asked?.[1] ?? 0) > file.total) notes.push(`file has ${file.total}`);
  // Whoever put pages together needs to know; a short range is read for its own sake.
  if (file.endless && file.size > file.pageLength) notes.push('no newline at end of file');
  return notes.length === 0 ? undefined : [place, ...notes].join('; ');
}

function renderCharactersPage({ file, lines, line, column, length }: CharactersPage): string {
  const rest = stripLineFeed(lines[0] ?? '');
  const body = rest.slice(0, findWholeEnd(rest, file.pageLength));
  const last = column + body.length - 1;
  const place = `line ${line} of ${file.total}, characters ${column}-${last} of ${length}`;
  if (last < length) return `${body}\n[${place}; next: ${file.tagOf(`${line}@${last + 1}`)}]`;
  if (line === file.total) return `${body}\n[${place}${file.endless ? '; no newline at end of file' : ''}]`;
  return `${body}\n[${place}; next: ${renderNextTag({ file, lines, at: 1, line: line + 1, bound: file.total })}]`;
}

interface NextPage {
  readonly file: PagedFile;
  readonly lines: readonly string[];
  /** Index in `lines` of the line the next page begins with, and its number. */
  readonly at: number;
  readonly line: number;
  /** Number of the last line wanted. */
  readonly bound: number;
}

function renderNextTag({ file, lines, at, line, bound }: NextPage): string {
  const fitting = countLinesOnPage(lines, at, file.pageLength);
  if (fitting === 0) return file.tagOf(`${line}@1`);
  return file.tagOf(renderRange(line, Math.min(line + fitting - 1, bound)));
}

/** `end`, or one less where a cut there would divide a surrogate pair. */
function findWholeEnd(text: string, end: number): number {
  const code = text.charCodeAt(end - 1);
  return text.length > end && code >= 0xd800 && code <= 0xdbff ? end - 1 : end;
}
