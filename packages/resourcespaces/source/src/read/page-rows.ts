import { TOKEN_CAP, units, UNITS_PER_TOKEN } from '@bae/core/pipeline';

/** Size of an answer that is not cut, in units. */
export const ANSWER_CAP = TOKEN_CAP * UNITS_PER_TOKEN;
/** Longest row, in characters. */
const LONGEST_ROW = 220;
/** Room for the line that leads to the next page, in units, besides its address. */
const FOOTER = 60;

/** Rows that may be more than one answer can show. */
export interface PagedRows {
  /** Lines that every page begins with. */
  readonly head: readonly string[];
  readonly rows: readonly string[];
  /** 1-based. */
  readonly page: number;
  /** The tag of a page. */
  readonly tagOf: (page: number) => string;
}

/** One page of rows, with the tag for the next one when there is one. */
export function pageRows({ head, rows, page, tagOf }: PagedRows): string {
  const room = ANSWER_CAP - units(head.join('\n')) - FOOTER - units(tagOf(rows.length));
  const pages = pagesOf(rows.map(shortened), room);
  const at = Math.min(Math.max(page, 1), pages.length);
  const shown = [...head, ...(pages[at - 1] ?? [])];
  if (pages.length > 1) {
    const place = `page ${at} of ${pages.length}`;
    shown.push(at < pages.length ? `[${place}; next: ${tagOf(at + 1)}]` : `[${place}]`);
  }
  return shown.join('\n');
}

/** True when rows fit one answer. */
export function fitsOnePage({ head, rows }: Pick<PagedRows, 'head' | 'rows'>): boolean {
  return units([...head, ...rows.map(shortened)].join('\n')) <= ANSWER_CAP;
}

function pagesOf(rows: readonly string[], room: number): readonly (readonly string[])[] {
  const pages: string[][] = [[]];
  let left = room;
  for (const row of rows) {
    const size = units(row) + 1;
    if (size > left && pages.at(-1)!.length > 0) {
      pages.push([]);
      left = room;
    }
    pages.at(-1)!.push(row);
    left -= size;
  }
  return pages;
}

function shortened(row: string): string {
  const points = Array.from(row.length <= LONGEST_ROW ? '' : row);
  return points.length === 0 ? row : `${points.slice(0, LONGEST_ROW - 1).join('')}…`;
}
