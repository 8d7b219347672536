import type { Task } from '../task.ts';
import { loadTasks } from './read-tasks.ts';
import type { PageRange, Rows } from './task-database.ts';

/** Part of a list. */
export interface TaskPage {
  readonly tasks: readonly Task[];
  /** Position of the first task in the whole list, from 1. */
  readonly first: number;
  /** True when the list ends with this page. */
  readonly isLast: boolean;
  /** Tasks of the whole list; at least so many when they were not counted to the end. */
  readonly total: number;
  readonly isCounted: boolean;
}

/** Counting stops here: the time that a list takes must not grow with the number of tasks. */
export const MOST_COUNTED = 1001;

/**
 * Loads the tasks of a page.
 *
 * @param ids from the first of the page on, one more than the page holds if there are more
 * @param count ids of the whole list, up to `MOST_COUNTED`
 */
export function loadPage(
  rows: Rows,
  { ids, count }: { readonly ids: readonly number[]; readonly count: number },
  { first, most }: PageRange,
): TaskPage {
  const tasks = loadTasks(rows, ids.slice(0, most));
  const isCounted = count < MOST_COUNTED;
  const total = isCounted ? count : Math.max(MOST_COUNTED - 1, first - 1 + tasks.length);
  return { tasks, first, isLast: ids.length <= most, total, isCounted };
}

/** Loads a page of a list of which as many ids are known as `countNeededIds` returns. */
export function loadPageOf(rows: Rows, ids: readonly number[], range: PageRange): TaskPage {
  const { first, most } = range;
  return loadPage(rows, { ids: ids.slice(first - 1, first + most), count: Math.min(ids.length, MOST_COUNTED) }, range);
}

/** How many ids a page needs when they are collected from the start of the list. */
export function countNeededIds({ first, most }: PageRange): number {
  return Math.max(MOST_COUNTED, first + most);
}
