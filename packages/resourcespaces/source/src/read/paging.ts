import type { ToolContext, ToolOutput } from '@bae/core';
import { countUnits, UNITS_PER_TOKEN } from '@bae/core/pipeline';

const LONGEST_ROW = 220;
const LONGEST_LINE = 200;
/** Space for the line that leads to the next page, in units, without its tag. */
const ROWS_FOOTER = 60;
const MODULES_FOOTER = 40;

/** The limit of the result that a page is shown in, and the function that writes its tags. */
export type PageContext = Pick<ToolContext, 'answerLimit' | 'tag'>;

export interface PageRequest {
  /** Lines at the beginning of every page. */
  readonly head: readonly string[];
  /** Page number, 1-based. */
  readonly page: number;
  /** Call that shows the list, without its page: `R:core`. */
  readonly call: string;
  readonly context: PageContext;
}

/** A line of a module, as code gets it. */
export interface CodeRow {
  /** The module, or the path of a file that is not a module. */
  readonly path: string;
  readonly line: number;
  readonly text: string;
}

/** Type of the rows, as code sees it. */
export const CODE_ROWS = '{path: string; line: int; text: string}[]';

/** A line as it is shown, `12, 40: text`, and the rows that it stands for. */
export interface ShownLine {
  readonly shown: string;
  readonly rows: readonly Omit<CodeRow, 'path'>[];
}

export interface ModuleLines {
  readonly module: string;
  readonly lines: readonly ShownLine[];
}

interface ModulePage extends Omit<PageRequest, 'page'> {
  /** Page number; undefined for the first page, and for code everything. */
  readonly page: number | undefined;
  readonly groups: readonly ModuleLines[];
  /** Rows that code gets at the end, and that `head` describes. */
  readonly others?: readonly CodeRow[];
}

/** Renders one page of rows, with the tag of the next page if there is one. */
export function renderRowsPage({ rows, ...request }: PageRequest & { readonly rows: readonly string[] }): string {
  const items = rows.map((row) => ({ text: shortenRow(row, LONGEST_ROW) }));
  const footer = ROWS_FOOTER + countUnits(makePageTag(request, rows.length));
  return renderPage(splitPages(items, request, footer), request);
}

/** Returns true when lines fit on one page. */
export function fitsOnePage(lines: readonly string[], context: PageContext): boolean {
  return fitsResult(lines.map((line) => shortenRow(line, LONGEST_ROW)).join('\n'), context);
}

/** Returns true for a text that is not cut. */
export function fitsResult(text: string, context: PageContext): boolean {
  return countUnits(text) <= getRoom(context);
}

/** Returns the size of the longest result that is not cut, in units. */
export function getRoom({ answerLimit }: PageContext): number {
  return answerLimit * UNITS_PER_TOKEN;
}

/**
 * Outputs one page of lines below the names of their modules, with the tag of the next page if there is one. Code gets
 * rows: all of them, or those of the page that it names.
 */
export function outputModuleRows({ groups, others = [], page, ...rest }: ModulePage): ToolOutput {
  const request = { ...rest, page: page ?? 1 };
  const items = groups.flatMap(({ module, lines }) =>
    lines.map(({ shown, rows }, index) => {
      const row = `  ${shortenRow(shown, LONGEST_LINE)}`;
      const first = `${module}\n${row}`;
      return { text: index === 0 ? first : row, first, rows: rows.map((one) => ({ path: module, ...one })) };
    }),
  );
  const pages = splitPages(items, request, MODULES_FOOTER + countUnits(makePageTag(request, 999)));
  const whole = () => {
    const wanted = page === undefined ? items : (pages[page - 1] ?? []);
    const isEnd = page === undefined || page === Math.max(pages.length, 1);
    return [...wanted.flatMap(({ rows }) => rows), ...(isEnd ? others : [])];
  };
  return { text: renderPage(pages, request), format: 'plain', paged: true, whole };
}

/** Adds the whole text for code, unless code requests a further page. */
export function addWhole(output: ToolOutput, page: number, whole: () => string): ToolOutput {
  return page > 1 ? output : { ...output, whole };
}

/** Outputs a page of rows. Code gets `all` rows; default: the same rows. */
export function outputRows({
  all,
  ...request
}: Parameters<typeof renderRowsPage>[0] & { readonly all?: readonly string[] }): ToolOutput {
  const output = { text: renderRowsPage(request), format: 'plain', paged: true } as const;
  return addWhole(output, request.page, () => [...request.head, ...(all ?? request.rows)].join('\n'));
}

interface PageItem {
  readonly text: string;
  /** The text at the beginning of a page. Default: the same text. */
  readonly first?: string;
}

/** Splits items into pages that fit, with room for the head and a footer. */
function splitPages<Item extends PageItem>(
  items: readonly Item[],
  { head, context }: Pick<PageRequest, 'head' | 'context'>,
  footer: number,
): readonly (readonly Item[])[] {
  const room = getRoom(context) - countUnits(head.join('\n')) - footer;
  const pages: Item[][] = [];
  let left = 0;
  for (const item of items) {
    const { text, first = text } = item;
    const size = countUnits(text) + 1;
    const current = size <= left ? pages.at(-1) : undefined;
    left = current === undefined ? room - countUnits(first) - 1 : left - size;
    if (current === undefined) pages.push([item]);
    else current.push(item);
  }
  return pages;
}

function renderPage(pages: readonly (readonly PageItem[])[], request: PageRequest): string {
  const { head, page } = request;
  const at = Math.min(page, pages.length);
  const items = pages[at - 1] ?? [];
  const lines = [...head, ...items.map(({ text, first = text }, index) => (index === 0 ? first : text))];
  if (pages.length < 2) return lines.join('\n');
  const next = at < pages.length ? `; next: ${makePageTag(request, at + 1)}` : '';
  return [...lines, `[page ${at} of ${pages.length}${next}]`].join('\n');
}

function makePageTag({ call, context }: PageRequest, page: number): string {
  return context.tag(`<${call} page=${page}>`);
}

function shortenRow(line: string, longest: number): string {
  if (line.length <= longest) return line;
  const points = Array.from(line);
  return points.length <= longest ? line : `${points.slice(0, longest - 1).join('')}…`;
}
