import type { Database } from '@bae/store';
import { checkCycle } from './check-cycle.ts';
import { readTask } from '../storage/read-tasks.ts';
import type { Rows } from '../storage/task-database.ts';
import type { AfterChange } from '../task-edit.ts';
import { TaskRuleError } from '../task-problem.ts';
import { isFinished } from '../task.ts';

/**
 * Lets a task come after others, and no longer after some.
 *
 * @throws TaskRuleError when one of them is not there, or the task would wait for itself
 */
export function linkAfter(database: Database, id: number, { add, remove }: AfterChange): void {
  for (const after of [...add, ...remove]) readTask(database, after, 'after');
  for (const after of remove) database.run('DELETE FROM task_dep WHERE task = ? AND after = ?', id, after);
  for (const after of add) database.run('INSERT OR IGNORE INTO task_dep (task, after) VALUES (?, ?)', id, after);
  for (const after of add) checkCycle(database, { task: id, waitsFor: after, field: 'after' });
}

/**
 * Makes sure that a task can have one part more.
 *
 * @throws TaskRuleError when it is not there, or finished
 */
export function checkParent(rows: Rows, parent: number): void {
  const task = readTask(rows, parent, 'parent');
  if (isFinished(task.status)) throw new TaskRuleError({ kind: 'final', field: 'parent', sent: parent, task });
}
