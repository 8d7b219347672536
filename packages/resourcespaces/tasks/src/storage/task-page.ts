import type { Task } from '../task.ts';
import { tasksOf } from './read-tasks.ts';
import type { Rows } from './task-database.ts';

/** Which part of a list. */
export interface PageRange {
  /** Place of the first row, from 1. */
  readonly first: number;
  /** Most rows. Default: those of a page. */
  readonly most?: number | undefined;
}

/** Part of a list. */
export interface TaskPage {
  readonly tasks: readonly Task[];
  /** Place of the first task in the whole list, from 1. */
  readonly first: number;
  /** True when the list ends with this page. */
  readonly isLast: boolean;
  /** Tasks of the whole list; at least so many when they were not counted to the end. */
  readonly total: number;
  readonly isCounted: boolean;
}

/** The part of a list that a page is made of. */
export interface Hits {
  /** Ids from the first of the page on, one more than fits it if there are more. */
  readonly ids: readonly number[];
  /** Ids of the whole list, counted up to `MOST_COUNTED`. */
  readonly count: number;
}

/** Most rows of one page. */
export const MOST_ROWS = 40;
/** How far is counted: what a list takes must not grow with all there is. */
export const MOST_COUNTED = 1001;

/** A part of a list, with its tasks. */
export function pageOf(rows: Rows, { ids, count }: Hits, { first, most = MOST_ROWS }: PageRange): TaskPage {
  const tasks = tasksOf(rows, ids.slice(0, most));
  const isCounted = count < MOST_COUNTED;
  const total = isCounted ? count : Math.max(MOST_COUNTED - 1, first - 1 + tasks.length);
  return { tasks, first, isLast: ids.length <= most, total, isCounted };
}

/** How many ids a list needs that is made whole, up to a page and as far as is counted. */
export function idsNeeded({ first, most = MOST_ROWS }: PageRange): number {
  return Math.max(MOST_COUNTED, first + most);
}

/** The part of a whole list, of as many ids as are needed, that a page is made of. */
export function hitsOf(ids: readonly number[], { first, most = MOST_ROWS }: PageRange): Hits {
  return { ids: ids.slice(first - 1, first + most), count: Math.min(ids.length, MOST_COUNTED) };
}
