import type { Value } from '@bae/store';
import type { PageRange } from '../task.ts';
import type { TaskFilter } from '../task.ts';
import { countNeededIds, loadPage, readIds, type TaskPage } from './read-tasks.ts';
import { FIRST_FINISHED, getStretches, type Stretch, type Work } from './task-place.ts';

/** A list and the requested part of it. */
export interface ListRequest extends PageRange {
  readonly filter: TaskFilter;
  /** Active tasks that were last changed before this time are stale. */
  readonly staleBefore: Date;
}

/** A part of a query, with its values. */
interface Part {
  readonly sql: string;
  readonly values: readonly Value[];
}

/** Maximum number of stale tasks that are listed: those that have been unchanged the longest. */
const MOST_STALE = 1000;

const TASKS = 'SELECT task.place AS place, task.id AS id FROM task';
const IN_STRETCH = 'task.place >= ? AND task.place < ?';
const TAGGED = 'SELECT tagged.place AS place, tagged.task AS id FROM task_tag AS tagged';
const TASK_OF_TAG = 'CROSS JOIN task ON task.id = tagged.task';
const TAGGED_SO = 'tagged.place >= ? AND tagged.place < ? AND tagged.tag = ?';
const TAGGED_TOO = 'EXISTS (SELECT 1 FROM task_tag WHERE tag = ? AND place = tagged.place AND task = tagged.task)';
const STALE = `
  task.id IN (SELECT id FROM task WHERE updated < ? AND place < '${FIRST_FINISHED}' ORDER BY updated LIMIT ${MOST_STALE})`;

const READY = `NOT EXISTS (SELECT 1 FROM task AS part WHERE part.parent = task.id AND part.place < '${FIRST_FINISHED}')`;

/**
 * Lists the tasks that match a filter, sorted by status, then by priority, then by id. Open tasks with unfinished
 * parts come after those that can be started.
 */
export function* listTasks(request: ListRequest): Work<TaskPage> {
  const parts = buildParts(request);
  const sql = `${parts.map((part) => part.sql).join(' UNION ')} ORDER BY place, id LIMIT ?`;
  const values = parts.flatMap((part) => part.values);
  return yield* loadPage(yield* readIds(sql, ...values, countNeededIds(request)), request);
}

/**
 * Builds the parts of the query: each status has its own range of the sorted tasks, and of those with a tag, so that
 * only merging remains.
 */
function buildParts(request: ListRequest): readonly Part[] {
  const { statuses, priorities, tags } = request.filter;
  const numbers = priorities.length === 0 ? [[]] : priorities;
  const stretches = statuses.flatMap((status) => numbers.flatMap((first) => getStretches(status, first)));
  const groups = tags.length === 0 ? [[]] : tags;
  return stretches.flatMap((stretch) => groups.map((group) => buildPart(stretch, group, request)));
}

function buildPart({ start, end }: Stretch, [tag, ...others]: readonly string[], request: ListRequest): Part {
  const { parents, stale, ready } = request.filter;
  const ofTask: readonly Part[] = [
    ...(parents.length === 0
      ? []
      : [{ sql: `task.parent IN (${parents.map(() => '?').join(', ')})`, values: parents }]),
    ...(stale ? [{ sql: STALE, values: [request.staleBefore.getTime()] }] : []),
    ...(ready ? [{ sql: READY, values: [] }] : []),
  ];
  const ofTags = others.map((other): Part => ({ sql: TAGGED_TOO, values: [other] }));
  const conditions =
    tag === undefined
      ? [{ sql: IN_STRETCH, values: [start, end] }, ...ofTask]
      : [{ sql: TAGGED_SO, values: [start, end, tag] }, ...ofTags, ...ofTask];
  const from = tag === undefined ? TASKS : `${TAGGED} ${ofTask.length === 0 ? '' : TASK_OF_TAG}`;
  return {
    sql: `${from} WHERE ${conditions.map(({ sql }) => sql).join(' AND ')}`,
    values: conditions.flatMap(({ values }) => values),
  };
}
