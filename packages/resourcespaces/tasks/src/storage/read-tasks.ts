import type { Row, Value } from '@bae/store';
import { TaskRuleError } from '../task-problem.ts';
import type { AuditEntry, Caller, FinalStatus, Status, Task, TaskDetail, TaskMention } from '../task.ts';
import type { PageRange } from '../task.ts';
import { FIRST_FINISHED, getStretch, all, get, type Work } from './task-place.ts';

/** The numbers of tasks to be done. */
export interface TaskCounts {
  readonly open: number;
  readonly in_progress: number;
  readonly blocked: number;
  /** Active tasks without activity for `STALE_DAYS`. */
  readonly stale: number;
  /** Ids of the first tasks that the user is asked to confirm. */
  readonly waiting: readonly number[];
}

/** A part of a list. */
export interface TaskPage {
  readonly tasks: readonly Task[];
  /** Position of the first task in the whole list, starting at 1. */
  readonly first: number;
  /** True when the list ends with this page. */
  readonly isLast: boolean;
  /** Number of tasks in the whole list; a lower bound when not all were counted. */
  readonly total: number;
  readonly isCounted: boolean;
}

/** Number of days without activity after which an active task is stale. */
export const STALE_DAYS = 14;
/** Limit for counting: the time for a list must not grow with the number of tasks. */
const MOST_COUNTED = 1001;
/** Number of latest changes that a task includes. */
const LATEST = 5;

const TASKS = `
  SELECT task.*, (SELECT json_group_array(tag ORDER BY tag) FROM task_tag WHERE task = task.id) AS tags,
    (SELECT json_group_array(blocker.id ORDER BY blocker.id) FROM task_dep JOIN task AS blocker ON blocker.id = task_dep.after
     WHERE task_dep.task = task.id AND blocker.place < '${FIRST_FINISHED}') AS blockers,
    (SELECT count(*) FROM task AS part WHERE part.parent = task.id AND part.place < '${FIRST_FINISHED}') AS parts
  FROM json_each(?) AS wanted JOIN task ON task.id = wanted.value ORDER BY wanted.key`;
const MENTION = 'SELECT id, status, title FROM task';
const PARENT = `${MENTION} WHERE id = (SELECT parent FROM task WHERE id = ?)`;
const CHILDREN = `${MENTION} WHERE parent = ? ORDER BY place, id`;
const AFTER = `${MENTION} JOIN task_dep ON task_dep.after = task.id WHERE task_dep.task = ? ORDER BY id`;
const BEFORE = `${MENTION} JOIN task_dep ON task_dep.task = task.id WHERE task_dep.after = ? ORDER BY id`;
const AUDIT = 'SELECT * FROM task_audit WHERE task = ? ORDER BY id DESC LIMIT ? OFFSET ?';
const CHANGES = 'SELECT count(*) AS count FROM task_audit WHERE task = ?';
const IN_STRETCH = 'SELECT count(*) AS count FROM task WHERE place >= ? AND place < ?';
const STALE = `SELECT count(*) AS count FROM task WHERE updated < ? AND place < '${FIRST_FINISHED}'`;
const WAITING = 'SELECT id FROM task WHERE pending IS NOT NULL ORDER BY id LIMIT 20';

/** Returns the column `id` of a query. */
export function* readIds(sql: string, ...values: readonly Value[]): Work<readonly number[]> {
  // Read as one row, because a list may have a thousand ids. SQLite keeps the order of a subquery for this aggregate.
  const row = yield* get(`SELECT json_group_array(id) AS ids FROM (${sql}) AS found`, ...values);
  return JSON.parse(String(row?.['ids'] ?? '[]')) as readonly number[];
}

/** Returns the column `count` of a query. */
function* readCount(sql: string, ...values: readonly Value[]): Work<number> {
  return Number((yield* get(sql, ...values))?.['count'] ?? 0);
}

/** Counts the active tasks. */
export function* countTasks(staleBefore: Date): Work<TaskCounts> {
  const count = (status: Status): Work<number> => {
    const { start, end } = getStretch(status);
    return readCount(IN_STRETCH, start, end);
  };
  return {
    open: yield* count('open'),
    in_progress: yield* count('in_progress'),
    blocked: yield* count('blocked'),
    stale: yield* readCount(STALE, staleBefore.getTime()),
    waiting: yield* readIds(WAITING),
  };
}

/** Loads tasks by id, in the order of the ids. */
export function* loadTasks(ids: readonly number[]): Work<readonly Task[]> {
  return (yield* all(TASKS, JSON.stringify(ids))).map(parseTask);
}

/** Returns the number of ids, from the first of the list on, that `loadPage` needs. */
export function countNeededIds({ first, most }: PageRange): number {
  return Math.max(MOST_COUNTED, first + most);
}

/**
 * Loads the tasks of a page.
 *
 * @param ids ids of the list, as many as `countNeededIds` returns
 */
export function* loadPage(ids: readonly number[], { first, most }: PageRange): Work<TaskPage> {
  const tasks = yield* loadTasks(ids.slice(first - 1, first - 1 + most));
  const isLast = ids.length < first + most;
  const isCounted = ids.length < MOST_COUNTED;
  const total = isCounted ? ids.length : Math.max(MOST_COUNTED - 1, first - 1 + tasks.length);
  return { tasks, first, isLast, total, isCounted };
}

/**
 * Reads all data of a task.
 *
 * @param field the parameter with the id, for the message
 * @throws TaskRuleError when the task does not exist
 */
export function* readTask(id: number, field: string): Work<TaskDetail> {
  const [task] = yield* loadTasks([id]);
  if (task === undefined) {
    const last = Number((yield* get('SELECT max(id) AS last FROM task'))?.['last'] ?? 0);
    throw new TaskRuleError({ kind: 'no-task', field, id, last });
  }
  return {
    ...task,
    parentTask: (yield* readMentions(PARENT, id))[0],
    children: yield* readMentions(CHILDREN, id),
    after: yield* readMentions(AFTER, id),
    before: yield* readMentions(BEFORE, id),
    history: yield* readAudit(id, { first: 1, most: LATEST }),
    changes: yield* readCount(CHANGES, id),
  };
}

/** Reads changes of a task, newest first. */
export function* readAudit(id: number, { first, most }: PageRange): Work<readonly AuditEntry[]> {
  return (yield* all(AUDIT, id, most, first - 1)).map(parseAuditEntry);
}

/** Returns the rows of a query for id, status and title. */
export function* readMentions(sql: string, ...values: readonly Value[]): Work<readonly TaskMention[]> {
  return (yield* all(sql, ...values)).map(parseMention);
}

function parseTask(row: Row): Task {
  return {
    ...parseMention(row),
    body: String(row['body']),
    priority: { major: Number(row['major']), minor: Number(row['minor']), patch: Number(row['patch']) },
    tags: JSON.parse(String(row['tags'])) as readonly string[],
    parent: row['parent'] === null ? undefined : Number(row['parent']),
    creator: row['creator'] as Caller,
    gated: row['gated'] === 1,
    pending: (row['pending'] ?? undefined) as FinalStatus | undefined,
    created: new Date(Number(row['created'])),
    updated: new Date(Number(row['updated'])),
    version: Number(row['version']),
    metadata: JSON.parse(String(row['metadata'])) as Task['metadata'],
    blockers: JSON.parse(String(row['blockers'])) as readonly number[],
    parts: Number(row['parts']),
  };
}

function parseMention(row: Row): TaskMention {
  return { id: Number(row['id']), status: row['status'] as Status, title: String(row['title']) };
}

function parseAuditEntry(row: Row): AuditEntry {
  return {
    time: new Date(Number(row['time'])),
    who: row['who'] as Caller,
    field: String(row['field']),
    old: (row['old'] ?? undefined) as string | undefined,
    new: (row['new'] ?? undefined) as string | undefined,
  };
}
