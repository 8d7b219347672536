import type { Value } from '@bae/store';
import type { Rows, PageRange } from './task-database.ts';
import type { TaskFilter } from '../task.ts';
import { readIds } from './read-tasks.ts';
import { countNeededIds, loadPage, type TaskPage } from './task-page.ts';
import { FIRST_FINISHED, getStretch, type Stretch } from './task-place.ts';

/** Which part of which list. */
export interface ListRequest extends PageRange {
  readonly filter: TaskFilter;
  /** Active tasks that were last changed before this are stale. */
  readonly staleBefore: Date;
}

/** One stretch of an index, as a query with its values. */
interface Part {
  readonly sql: string;
  readonly values: readonly Value[];
}

/** Stale tasks that are listed at most: those unchanged for longest. */
const MOST_STALE = 1000;

const TASKS = 'SELECT task.place AS place, task.id AS id FROM task WHERE task.place >= ? AND task.place < ?';
const TAGGED = 'SELECT tagged.place AS place, tagged.task AS id FROM task_tag AS tagged';
const TASK_OF_TAG = 'CROSS JOIN task ON task.id = tagged.task';
const TAGGED_SO = 'tagged.place >= ? AND tagged.place < ? AND tagged.tag = ?';
const TAGGED_TOO = 'EXISTS (SELECT 1 FROM task_tag WHERE tag = ? AND place = tagged.place AND task = tagged.task)';
const STALE = `
  task.id IN (SELECT id FROM task WHERE updated < ? AND place < '${FIRST_FINISHED}' ORDER BY updated LIMIT ${MOST_STALE})`;

/** Tasks that match a filter: by status, then by priority, then by id. */
export function listTasks(rows: Rows, request: ListRequest): TaskPage {
  const parts = buildParts(request);
  const sql = `${parts.map((part) => part.sql).join(' UNION ')} ORDER BY place, id LIMIT ?`;
  const values = parts.flatMap((part) => part.values);
  return loadPage(rows, readIds(rows, sql, ...values, countNeededIds(request)), request);
}

/** Every status has its stretch of the order, and of each tag: only merging them is left to do. */
function buildParts(request: ListRequest): readonly Part[] {
  const { statuses, priorities, tags } = request.filter;
  const numbers = priorities.length === 0 ? [[]] : priorities;
  const stretches = statuses.flatMap((status) => numbers.map((first) => getStretch(status, first)));
  const groups = tags.length === 0 ? [[]] : tags;
  return stretches.flatMap((stretch) => groups.map((group) => buildPart(stretch, group, request)));
}

function buildPart(stretch: Stretch, [tag, ...others]: readonly string[], request: ListRequest): Part {
  const { filter, staleBefore } = request;
  const ofTask = [
    ...(filter.parents.length === 0 ? [] : [`task.parent IN (${filter.parents.map(() => '?').join(', ')})`]),
    ...(filter.stale ? [STALE] : []),
  ];
  const stale = filter.stale ? [staleBefore.getTime()] : [];
  const values = [
    stretch.start,
    stretch.end,
    ...(tag === undefined ? [] : [tag, ...others]),
    ...filter.parents,
    ...stale,
  ];
  if (tag === undefined) return { sql: [TASKS, ...ofTask].join(' AND '), values };
  const conditions = [TAGGED_SO, ...others.map(() => TAGGED_TOO), ...ofTask].join(' AND ');
  return { sql: `${TAGGED} ${ofTask.length === 0 ? '' : TASK_OF_TAG} WHERE ${conditions}`, values };
}
