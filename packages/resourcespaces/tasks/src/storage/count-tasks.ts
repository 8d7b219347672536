import type { Rows } from './task-database.ts';
import { FIRST_FINISHED, stretchOf } from './task-place.ts';
import type { Status } from '../task.ts';

/** How much there is to do. */
export interface TaskCounts {
  readonly open: number;
  readonly in_progress: number;
  readonly blocked: number;
  /** Active tasks that nobody has touched for long. */
  readonly stale: number;
  /** Ids of tasks that the user is asked to confirm, the first few. */
  readonly waiting: readonly number[];
}

/** Days without activity after which an active task is stale. */
export const STALE_DAYS = 14;

const IN_STRETCH = 'SELECT count(*) AS count FROM task WHERE place >= ? AND place < ?';
const STALE = `SELECT count(*) AS count FROM task WHERE updated < ? AND place < '${FIRST_FINISHED}'`;
const WAITING = 'SELECT id FROM task WHERE pending IS NOT NULL ORDER BY id LIMIT 20';

/** Counts the active tasks. */
export function countTasks(rows: Rows, staleBefore: Date): TaskCounts {
  const count = (sql: string, ...values: readonly (string | number)[]): number =>
    Number(rows.get(sql, ...values)?.['count'] ?? 0);
  const having = (status: Status): number => {
    const { start, end } = stretchOf(status);
    return count(IN_STRETCH, start, end);
  };
  return {
    open: having('open'),
    in_progress: having('in_progress'),
    blocked: having('blocked'),
    stale: count(STALE, staleBefore.getTime()),
    waiting: rows.all(WAITING).map((row) => Number(row['id'])),
  };
}
