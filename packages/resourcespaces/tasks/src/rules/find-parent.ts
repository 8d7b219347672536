import { tasksOf } from '../storage/read-tasks.ts';
import { parentPriority } from './parent-priority.ts';
import type { Rows } from '../storage/task-database.ts';
import { TaskRuleError } from '../task-problem.ts';
import { stretchOf } from '../storage/task-place.ts';
import { levelOf, type Priority } from '../task-priority.ts';
import { ACTIVE } from '../task-filter.ts';
import type { Task } from '../task.ts';

/** A task that gets a priority. */
export interface Prioritised {
  /** Undefined for a new task. */
  readonly id: number | undefined;
  readonly title: string;
  readonly priority: Priority;
}

const BY_PRIORITY = `
  SELECT id FROM task WHERE major = ? AND minor = ? AND patch = ? AND status NOT IN ('done', 'cancelled')
  AND id IS NOT ? ORDER BY id LIMIT 20`;
const MOST_MAJORS = 20;

/**
 * The parent that a priority belongs to: the unfinished task 1.0.0 for 1.2.0; none for a major.
 *
 * @throws TaskRuleError when there is none, or more than one
 */
export function findParent(rows: Rows, { id, title, priority }: Prioritised): number | undefined {
  const wanted = parentPriority(priority);
  if (wanted === undefined) return undefined;
  const { major, minor, patch } = wanted;
  const found = rows.all(BY_PRIORITY, major, minor, patch, id ?? null).map((row) => Number(row['id']));
  const [parent, ...others] = found;
  if (parent !== undefined && others.length === 0) return parent;
  const candidates = tasksOf(rows, found);
  throw new TaskRuleError({ kind: 'no-parent', id, title, priority, wanted, candidates, majors: majorsIn(rows) });
}

function majorsIn(rows: Rows): readonly Task[] {
  const ids = ACTIVE.flatMap((status) => {
    const { start, end } = stretchOf(status);
    const sql = `SELECT id FROM task WHERE place >= ? AND place < ? AND major > 0 AND minor = 0 AND patch = 0 ORDER BY place, id LIMIT ?`;
    return rows.all(sql, start, end, MOST_MAJORS).map((row) => Number(row['id']));
  });
  return tasksOf(rows, ids.slice(0, MOST_MAJORS)).filter(({ priority }) => levelOf(priority) === 'major');
}
