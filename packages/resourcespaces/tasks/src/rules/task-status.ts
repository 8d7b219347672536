import { readIds, readTask } from '../storage/read-tasks.ts';
import { compareTasks, saveTask } from '../storage/save-task.ts';
import type { Work } from '../storage/task-work.ts';
import { getLevel } from '../task-fields.ts';
import { TaskRuleError } from '../task-problem.ts';
import { isFinished, type Actor, type SettableStatus, type Status, type Task, type TaskMention } from '../task.ts';
import { COMPLETION, findMissingSections } from './task-sections.ts';

/** Query for blocked tasks that come after a given task and have no unfinished predecessor. */
const RELEASED = `
  SELECT task.id AS id FROM task_dep JOIN task ON task.id = task_dep.task
  WHERE task_dep.after = ? AND task.status = 'blocked' AND NOT EXISTS (
    SELECT 1 FROM task_dep AS other JOIN task AS blocker ON blocker.id = other.after
    WHERE other.task = task.id AND blocker.status NOT IN ('done', 'cancelled')
  ) ORDER BY id`;

/**
 * Returns the status of an active task after an edit. `blocked` is set and cleared automatically, depending on the
 * unfinished tasks that this one comes after; a blocked task can only be cancelled.
 *
 * @param wanted undefined when the edit does not mention the status
 * @param waitsFor unfinished tasks that it comes after
 * @param task its id is undefined when it is new
 * @throws TaskRuleError when the edit sets another status of a blocked task
 */
export function decideStatus(
  task: Omit<TaskMention, 'id'> & { readonly id: number | undefined },
  wanted: SettableStatus | undefined,
  waitsFor: readonly TaskMention[],
): Status {
  if (wanted === 'cancelled') return wanted;
  if (waitsFor.length === 0) return wanted ?? (task.status === 'blocked' ? 'open' : task.status);
  if (wanted !== undefined)
    throw new TaskRuleError({ kind: 'blocked', id: task.id, title: task.title, by: waitsFor, wanted });
  return 'blocked';
}

/**
 * Checks that a task can be done: a major needs its sections, and every part has to be finished.
 *
 * @throws TaskRuleError that lists everything that is missing
 */
export function checkDone(task: Task, children: readonly TaskMention[]): void {
  const sections = getLevel(task.priority) === 'major' ? findMissingSections(task.body, COMPLETION) : [];
  const unfinished = children.filter(({ status }) => !isFinished(status));
  if (sections.length + unfinished.length > 0)
    throw new TaskRuleError({ kind: 'unfinished', task, sections, children: unfinished });
}

/** Opens the tasks that were waiting only for the finished task, and returns their ids. */
export function* releaseTasks(finished: number, actor: Actor): Work<readonly number[]> {
  const ids = yield* readIds(RELEASED, finished);
  for (const id of ids) {
    const before = yield* readTask(id, 'id');
    const task = { ...before, status: 'open' as const };
    yield* saveTask({ task, changes: compareTasks(before, task) }, actor);
  }
  return ids;
}
