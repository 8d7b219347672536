import type { Priority, TagChange } from './task-fields.ts';

/** The author of an action: the language model, or the person it works for. */
export type Caller = 'agent' | 'user';

/**
 * All statuses, in list order. `blocked` is never set: it is derived from the unfinished tasks that a task depends on.
 */
export const STATUSES = ['in_progress', 'open', 'blocked', 'done', 'cancelled'] as const;
export type Status = (typeof STATUSES)[number];

/** The statuses that an edit can set. */
export const SETTABLE = ['open', 'in_progress', 'done', 'cancelled'] as const;
export type SettableStatus = (typeof SETTABLE)[number];
export type FinalStatus = 'done' | 'cancelled';

/** Returns true when a task can no longer change. */
export function isFinished(status: Status): status is FinalStatus {
  return status === 'done' || status === 'cancelled';
}

/** The statuses of tasks that still have to be done. */
export const ACTIVE: readonly Status[] = STATUSES.filter((status) => !isFinished(status));

/** One work item, as it appears in lists. */
export interface Task {
  /** A small number that is never reused. */
  readonly id: number;
  /** Title of 1 to 200 characters on one line. */
  readonly title: string;
  readonly body: string;
  readonly status: Status;
  readonly priority: Priority;
  /** The tags, sorted. */
  readonly tags: readonly string[];
  /** Id of the task that contains this one. */
  readonly parent: number | undefined;
  readonly creator: Caller;
  /** True when only the user may finish it. */
  readonly gated: boolean;
  /** The status in which the agent wants to finish a gated task, which the user is asked to confirm. */
  readonly pending: FinalStatus | undefined;
  readonly created: Date;
  readonly updated: Date;
  /** Version number; starts at 1 and increases with every change. */
  readonly version: number;
  readonly metadata: Readonly<Record<string, unknown>>;
  /** Ids of the unfinished tasks that it waits for. */
  readonly blockers: readonly number[];
  /** Number of its unfinished parts. */
  readonly parts: number;
}

/** A short reference to a task in another task. */
export type TaskMention = Pick<Task, 'id' | 'status' | 'title'>;

/** A task with all related data. */
export interface TaskDetail extends Task {
  readonly parentTask: TaskMention | undefined;
  readonly children: readonly TaskMention[];
  /** The tasks that it comes after, finished or not. */
  readonly after: readonly TaskMention[];
  /** The tasks that come after it. */
  readonly before: readonly TaskMention[];
  /** Its latest changes, newest first. */
  readonly history: readonly AuditEntry[];
  /** Total number of its changes. */
  readonly changes: number;
}

/** A change of one field, with values as text; undefined when there was or is no value. */
export interface FieldChange {
  readonly field: string;
  readonly old: string | undefined;
  readonly new: string | undefined;
}

/** A change that was made, with its time and author. */
export interface AuditEntry extends FieldChange {
  readonly time: Date;
  readonly who: Caller;
}

/** The author and the time of a change. */
export interface Actor {
  readonly who: Caller;
  readonly now: Date;
}

/** The id of a task, or its title, of which the beginning is enough if no other begins so. */
export type TaskRef = number | string;

/** The tasks that a task now has to wait for, and those it no longer waits for. */
export interface AfterChange {
  readonly add: readonly TaskRef[];
  readonly remove: readonly TaskRef[];
}

/** A task to be created. */
export interface NewTask {
  readonly title: string;
  readonly body: string;
  readonly priority: Priority;
  readonly tags: TagChange;
  /** Default: the task that the priority belongs to. */
  readonly parent?: TaskRef | undefined;
  /** The tasks that it comes after. */
  readonly after: readonly TaskRef[];
  /** Default: open, or blocked when it waits for another task. */
  readonly status?: SettableStatus | undefined;
  readonly gated: boolean;
  /** Default: the caller. */
  readonly creator?: Caller | undefined;
  readonly metadata: Readonly<Record<string, unknown>>;
}

/** The changes of a task; undefined fields stay the same. */
export interface TaskEdit {
  readonly title?: string | undefined;
  readonly body?: string | undefined;
  readonly status?: SettableStatus | undefined;
  readonly priority?: Priority | undefined;
  readonly tags?: TagChange | undefined;
  /** `none` for no parent. */
  readonly parent?: TaskRef | undefined;
  readonly after?: AfterChange | undefined;
  readonly gated?: boolean | undefined;
  readonly metadata?: Readonly<Record<string, unknown>> | undefined;
  /** The version that the edit was made for. */
  readonly version?: number | undefined;
}

/** The result of creating or editing a task. */
export interface TaskOutcome {
  readonly task: TaskDetail;
  readonly changes: readonly FieldChange[];
  /** Ids of tasks that waited for this one, and are open now. */
  readonly unblocked: readonly number[];
  /** The status in which the agent wanted to finish a gated task; the user has to confirm it. */
  readonly asked: FinalStatus | undefined;
  /** Tags that no task had before, then the tags that existed. */
  readonly newTags: readonly string[];
  readonly knownTags: readonly string[];
}

/** A filter for lists: a task has to match every field. */
export interface TaskFilter {
  readonly statuses: readonly Status[];
  /** Leading numbers of priorities, one of which has to match: `[[1], [2, 1]]`. Empty for any. */
  readonly priorities: readonly (readonly number[])[];
  /** Groups of tags; a task needs all tags of one group. Empty for any. */
  readonly tags: readonly (readonly string[])[];
  /** Ids of possible parents. Empty for any. */
  readonly parents: readonly number[];
  /** True for tasks without recent activity. */
  readonly stale: boolean;
  /** True for tasks that can be started: open, and without unfinished parts. */
  readonly ready: boolean;
}

/** The filter for tasks that still have to be done. */
export const ACTIVE_TASKS: TaskFilter = {
  statuses: ACTIVE,
  priorities: [],
  tags: [],
  parents: [],
  stale: false,
  ready: false,
};

/** A part of a list. */
export interface PageRange {
  /** Position of the first row, starting at 1. */
  readonly first: number;
  readonly most: number;
}
