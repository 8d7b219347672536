import type { SettableStatus, Status, TaskMention } from '../task.ts';
import { TaskRuleError } from '../task-problem.ts';

/**
 * The status of an active task after an edit. Nothing leads out of done and cancelled.
 *
 * | from        | open | in_progress | done | cancelled |
 * |-------------|------|-------------|------|-----------|
 * | open        | yes  | yes         | yes  | yes       |
 * | in_progress | yes  | yes         | yes  | yes       |
 * | blocked     | no   | no          | no   | yes       |
 *
 * `blocked` comes and goes by itself, with the unfinished tasks that this one comes after.
 *
 * @param wanted undefined when the edit says nothing of the status
 * @param waitsFor unfinished tasks that it comes after
 * @throws TaskRuleError for a change that the table does not allow
 */
export function statusAfter(
  task: TaskMention,
  wanted: SettableStatus | undefined,
  waitsFor: readonly TaskMention[],
): Status {
  if (wanted === 'cancelled') return wanted;
  if (waitsFor.length === 0) return wanted ?? (task.status === 'blocked' ? 'open' : task.status);
  if (wanted !== undefined) throw new TaskRuleError({ kind: 'blocked', task, by: waitsFor, wanted });
  return 'blocked';
}
