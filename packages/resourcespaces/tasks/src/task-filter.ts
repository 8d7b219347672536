import { STATUSES, isFinished, type Status } from './task.ts';

/** Which tasks a list shows; what is given has to hold all together. */
export interface TaskFilter {
  readonly statuses: readonly Status[];
  /** First numbers of priorities, one of which has to fit: `[[1], [2, 1]]`. Empty for any. */
  readonly priorities: readonly (readonly number[])[];
  /** Groups of tags, all of one of which have to be there. Empty for any. */
  readonly tags: readonly (readonly string[])[];
  /** Ids, one of which has to be the parent. Empty for any. */
  readonly parents: readonly number[];
  /** True for tasks that nobody has touched for long. */
  readonly stale: boolean;
}

export const ACTIVE: readonly Status[] = STATUSES.filter((status) => !isFinished(status));

/** What is still to be done. */
export const ACTIVE_TASKS: TaskFilter = { statuses: ACTIVE, priorities: [], tags: [], parents: [], stale: false };
