import type { Row } from '@bae/store';
import { countAudit, readAudit } from './task-audit.ts';
import type { Rows } from './task-database.ts';
import type { Caller, FinalStatus, Status, Task, TaskDetail, TaskMention } from '../task.ts';
import { TaskRuleError } from '../task-problem.ts';

/** Changes that a task shows of itself. */
const LATEST = 5;

const TASKS = `
  SELECT task.*, (SELECT json_group_array(tag ORDER BY tag) FROM task_tag WHERE task = task.id) AS tags
  FROM json_each(?) AS wanted JOIN task ON task.id = wanted.value ORDER BY wanted.key`;
const MENTION = 'SELECT id, status, title FROM task';
const CHILDREN = `${MENTION} WHERE parent = ? ORDER BY place, id`;
const AFTER = `${MENTION} JOIN task_dep ON task_dep.after = task.id WHERE task_dep.task = ? ORDER BY id`;
const BEFORE = `${MENTION} JOIN task_dep ON task_dep.task = task.id WHERE task_dep.after = ? ORDER BY id`;

/** Tasks by id, in the order of the ids. */
export function tasksOf(rows: Rows, ids: readonly number[]): readonly Task[] {
  return rows.all(TASKS, JSON.stringify(ids)).map(taskOf);
}

/** Everything about a task; undefined when there is none. */
export function findTask(rows: Rows, id: number): TaskDetail | undefined {
  const [task] = tasksOf(rows, [id]);
  if (task === undefined) return undefined;
  const mentions = (sql: string): readonly TaskMention[] => rows.all(sql, id).map(mentionOf);
  return {
    ...task,
    parentTask:
      task.parent === undefined ? undefined : rows.all(`${MENTION} WHERE id = ?`, task.parent).map(mentionOf)[0],
    children: mentions(CHILDREN),
    after: mentions(AFTER),
    before: mentions(BEFORE),
    history: readAudit(rows, id, { first: 1, most: LATEST }),
    changes: countAudit(rows, id),
  };
}

/**
 * The same, for a task that has to be there.
 *
 * @param field what named it, for the message
 * @throws TaskRuleError when there is none
 */
export function readTask(rows: Rows, id: number, field: string): TaskDetail {
  const task = findTask(rows, id);
  if (task !== undefined) return task;
  const last = Number(rows.get('SELECT max(id) AS last FROM task')?.['last'] ?? 0);
  throw new TaskRuleError({ kind: 'no-task', field, id, last });
}

function taskOf(row: Row): Task {
  return {
    ...mentionOf(row),
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
  };
}

function mentionOf(row: Row): TaskMention {
  return { id: Number(row['id']), status: row['status'] as Status, title: String(row['title']) };
}
