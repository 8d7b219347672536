import type { Rows } from '../storage/task-database.ts';
import { TaskRuleError } from '../task-problem.ts';

/** A task cannot be done before what it comes after, nor before its children. */
const WAITS_FOR = 'SELECT after AS id FROM task_dep WHERE task = ?1 UNION SELECT id FROM task WHERE parent = ?1';

/** Something that a task is to wait for from now on. */
export interface Wait {
  readonly task: number;
  readonly waitsFor: number;
  /** The field that says so: for `parent` it is the parent that waits. */
  readonly field: 'after' | 'parent';
}

/**
 * Makes sure that no task would wait for itself.
 *
 * @throws TaskRuleError with the way around: 4, 7, 4
 */
export function checkCycle(rows: Rows, { task, waitsFor, field }: Wait): void {
  const cameFrom = new Map<number, number>([[waitsFor, task]]);
  const queue = [waitsFor];
  for (let next = queue.shift(); next !== undefined; next = queue.shift()) {
    if (next === task) throw new TaskRuleError({ kind: 'cycle', field, path: wayTo(task, cameFrom) });
    for (const row of rows.all(WAITS_FOR, next)) {
      const id = Number(row['id']);
      if (cameFrom.has(id)) continue;
      cameFrom.set(id, next);
      queue.push(id);
    }
  }
}

function wayTo(task: number, cameFrom: ReadonlyMap<number, number>): readonly number[] {
  const path = [task];
  for (let at = cameFrom.get(task); at !== undefined && at !== task; at = cameFrom.get(at)) path.push(at);
  return [task, ...path.slice(1).toReversed(), task];
}
