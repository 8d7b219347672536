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
const MOST_COUNTED = 1001;

/** How many ids, from the first of the list on, `loadPage` needs. */
export function countNeededIds({ first, most }: PageRange): number {
  return Math.max(MOST_COUNTED, first + most);
}

/** Loads the tasks of a page. @param ids of the list, as many as are needed */
export function loadPage(rows: Rows, ids: readonly number[], { first, most }: PageRange): TaskPage {
  const tasks = loadTasks(rows, ids.slice(first - 1, first - 1 + most));
  const isLast = ids.length < first + most;
  const isCounted = ids.length < MOST_COUNTED;
  const total = isCounted ? ids.length : Math.max(MOST_COUNTED - 1, first - 1 + tasks.length);
  return { tasks, first, isLast, total, isCounted };
}
