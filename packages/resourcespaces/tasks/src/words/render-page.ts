import type { ToolOutput } from '@bae/core';
import { TOKEN_CAP, countUnits, UNITS_PER_TOKEN } from '@bae/core/pipeline';
import type { TaskPage } from '../storage/task-page.ts';
import type { Task } from '../task.ts';

/** What is said around the rows of a page. */
export interface PageWords {
  /** What stands above the count. */
  readonly title?: string;
  /** The whole answer when there are no rows. */
  readonly none: string;
  /** What is counted. */
  readonly noun: { readonly one: string; readonly many: string };
  /** One row, with its place in the list. */
  readonly row: (task: Task, place: number) => string;
  /** The call that shows the list from a place on. */
  readonly call: (from: number) => string;
}

/** Units that the lines around the rows take. */
const AROUND = 300;
const ROOM = TOKEN_CAP * UNITS_PER_TOKEN - AROUND;

/** As many rows of a page as fit an answer, and the call for the next ones. */
export function renderPage(page: TaskPage, words: PageWords): ToolOutput {
  const { tasks, first, total } = page;
  if (total === 0) return { text: words.none, rows: 0 };
  const rows = fitting(tasks.map((task, index) => words.row(task, first + index)));
  const head = [...(words.title === undefined ? [] : [words.title]), `${countOf(page)} ${nounOf(page, words)}:`];
  const text = [...head, ...rows, ...footer(page, rows.length, words)].join('\n');
  return { text, format: 'plain', paged: true, rows: total };
}

function fitting(rows: readonly string[]): readonly string[] {
  let room = ROOM;
  const end = rows.findIndex((row) => (room -= countUnits(row) + 1) < 0);
  return end === -1 ? rows : rows.slice(0, Math.max(1, end));
}

function footer(page: TaskPage, shown: number, words: PageWords): readonly string[] {
  const { first, isLast, tasks } = page;
  const last = first - 1 + shown;
  const isEnd = isLast && shown === tasks.length;
  if (shown === 0) return [`[there is no row ${first}; from the first: ${words.call(1)}]`];
  if (first === 1 && isEnd) return [];
  return [`[rows ${first}-${last} of ${countOf(page)}${isEnd ? '' : `; next: ${words.call(last + 1)}`}]`];
}

/** `40`, or `1000+` when there are more than were counted. */
function countOf({ total, isCounted }: TaskPage): string {
  return `${total}${isCounted ? '' : '+'}`;
}

function nounOf({ total }: TaskPage, { noun }: PageWords): string {
  return total === 1 ? noun.one : noun.many;
}
