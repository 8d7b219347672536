import type { ToolContext, ToolOutput } from '@bae/core';
import { countUnits, UNITS_PER_TOKEN } from '@bae/core/pipeline';

const LONGEST_ROW = 220;
const LONGEST_LINE = 200;
/** Space for the line that leads to the next page, in units, without its tag. */
const ROWS_FOOTER = 60;
const MODULES_FOOTER = 40;

/** The limit of the result that a page is shown in, and the function that writes its tags. */
export type PageContext = Pick<ToolContext, 'answerLimit' | 'tag'>;

/** A page of a list. */
export interface PageRequest {
  /** Lines at the beginning of every page. */
  readonly head: readonly string[];
  /** Page number, 1-based. */
  readonly page: number;
  /** Call that shows the list, without its page: `R:core`. */
  readonly call: string;
  readonly context: PageContext;
}

export interface ModuleLines {
  readonly module: string;
  /** Lines with their numbers: `12: text`. */
  readonly lines: readonly string[];
}

/** Renders one page of rows, with the tag of the next page if there is one. */
export function renderRowsPage({ rows, ...request }: PageRequest & { readonly rows: readonly string[] }): string {
  const items = rows.map((row) => ({ text: shortenRow(row, LONGEST_ROW) }));
  return renderItems(items, request, ROWS_FOOTER + countUnits(makePageTag(request, rows.length)));
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

/** Renders one page of lines below the names of their modules, with the tag of the next page if there is one. */
export function renderModuleRows({
  groups,
  ...request
}: PageRequest & { readonly groups: readonly ModuleLines[] }): string {
  const items = groups.flatMap(({ module, lines }) =>
    lines.map((line, index) => {
      const row = `  ${shortenRow(line, LONGEST_LINE)}`;
      const first = `${module}\n${row}`;
      return { text: index === 0 ? first : row, first };
    }),
  );
  return renderItems(items, request, MODULES_FOOTER + countUnits(makePageTag(request, 999)));
}

/** Lists the same lines for code, each with its module: `core.agent:12: text`. */
export function listModuleRows(groups: readonly ModuleLines[]): readonly string[] {
  return groups.flatMap(({ module, lines }) => lines.map((line) => `${module}:${line}`));
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

function renderItems(items: readonly PageItem[], request: PageRequest, footer: number): string {
  const { head, page, context } = request;
  const room = getRoom(context) - countUnits(head.join('\n')) - footer;
  const pages: string[][] = [];
  let left = 0;
  for (const { text, first = text } of items) {
    const size = countUnits(text) + 1;
    const current = size <= left ? pages.at(-1) : undefined;
    left = current === undefined ? room - countUnits(first) - 1 : left - size;
    if (current === undefined) pages.push([first]);
    else current.push(text);
  }
  const at = Math.min(page, pages.length);
  const lines = [...head, ...(pages[at - 1] ?? [])];
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
