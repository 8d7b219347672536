import type { Database } from '@bae/store';
import { missingSections } from './missing-sections.ts';
import { readTask } from '../storage/read-tasks.ts';
import { changesBetween, saveTask } from '../storage/save-task.ts';
import type { Actor } from '../task-edit.ts';
import { levelOf } from '../task-priority.ts';
import { TaskRuleError } from '../task-problem.ts';
import { COMPLETION } from './task-sections.ts';
import { isFinished, type Task, type TaskMention } from '../task.ts';

/** Blocked tasks that come after a task and after nothing else that is unfinished. */
const RELEASED = `
  SELECT task.id AS id FROM task_dep JOIN task ON task.id = task_dep.task
  WHERE task_dep.after = ? AND task.status = 'blocked' AND NOT EXISTS (
    SELECT 1 FROM task_dep AS other JOIN task AS blocker ON blocker.id = other.after
    WHERE other.task = task.id AND blocker.status NOT IN ('done', 'cancelled')
  ) ORDER BY id`;

/**
 * Makes sure that a task can be done: a major says what came of it, and every part of it is finished.
 *
 * @throws TaskRuleError with everything that is missing
 */
export function checkDone(task: Task, children: readonly TaskMention[]): void {
  const sections = levelOf(task.priority) === 'major' ? missingSections(task.body, COMPLETION) : [];
  const unfinished = children.filter(({ status }) => !isFinished(status));
  if (sections.length + unfinished.length > 0)
    throw new TaskRuleError({ kind: 'unfinished', task, sections, children: unfinished });
}

/** Opens the tasks that a finished one was the last to hold up, and returns their ids. */
export function releaseTasks(database: Database, finished: number, actor: Actor): readonly number[] {
  const ids = database.all(RELEASED, finished).map((row) => Number(row['id']));
  for (const id of ids) {
    const before = { ...readTask(database, id, 'id'), afterIds: [] };
    const task = { ...before, status: 'open' as const };
    saveTask(database, { task, changes: changesBetween(before, task) }, actor);
  }
  return ids;
}
