import type { Priority, TagChange } from './task-fields.ts';

/** Who does something: the language model, or the person it works for. */
export type Caller = 'agent' | 'user';

/** Every status, in the order of lists. `blocked` is never set: it follows from what a task comes after. */
export const STATUSES = ['in_progress', 'open', 'blocked', 'done', 'cancelled'] as const;
export type Status = (typeof STATUSES)[number];

/** The statuses that an edit can set. */
export const SETTABLE = ['open', 'in_progress', 'done', 'cancelled'] as const;
export type SettableStatus = (typeof SETTABLE)[number];
export type FinalStatus = 'done' | 'cancelled';

/** True when nothing of a task can change any more. */
export function isFinished(status: Status): status is FinalStatus {
  return status === 'done' || status === 'cancelled';
}

/** The statuses of tasks that are still to be done. */
export const ACTIVE: readonly Status[] = STATUSES.filter((status) => !isFinished(status));

/** One work item, as lists have it. */
export interface Task {
  /** Small and never used again. */
  readonly id: number;
  /** 1 to 200 characters on one line. */
  readonly title: string;
  readonly body: string;
  readonly status: Status;
  readonly priority: Priority;
  /** Sorted. */
  readonly tags: readonly string[];
  /** Id of the task that this one is a part of. */
  readonly parent: number | undefined;
  readonly creator: Caller;
  /** True when only the user may finish it. */
  readonly gated: boolean;
  /** How the agent wants to finish a gated task: what the user is asked to confirm. */
  readonly pending: FinalStatus | undefined;
  readonly created: Date;
  readonly updated: Date;
  /** 1, and one more with every change. */
  readonly version: number;
  readonly metadata: Readonly<Record<string, unknown>>;
  /** Ids of the unfinished tasks that it waits for. */
  readonly blockers: readonly number[];
  /** Number of its unfinished parts. */
  readonly parts: number;
}

/** A task as others mention it. */
export type TaskMention = Pick<Task, 'id' | 'status' | 'title'>;

/** A task with everything around it. */
export interface TaskDetail extends Task {
  readonly parentTask: TaskMention | undefined;
  readonly children: readonly TaskMention[];
  /** What it comes after, finished or not. */
  readonly after: readonly TaskMention[];
  /** What comes after it. */
  readonly before: readonly TaskMention[];
  /** Its latest changes, newest first. */
  readonly history: readonly AuditEntry[];
  /** The number of all its changes. */
  readonly changes: number;
}

/** One field that gets another value; as text, and undefined where there was or is none. */
export interface FieldChange {
  readonly field: string;
  readonly old: string | undefined;
  readonly new: string | undefined;
}

/** A change that was made: when, and by whom. */
export interface AuditEntry extends FieldChange {
  readonly time: Date;
  readonly who: Caller;
}

/** Who makes a change, and when. */
export interface Actor {
  readonly who: Caller;
  readonly now: Date;
}

/** Ids of tasks that a task has to wait for from now on, and of those it no longer waits for. */
export interface AfterChange {
  readonly add: readonly number[];
  readonly remove: readonly number[];
}

/** A task to be made. */
export interface NewTask {
  readonly title: string;
  readonly body: string;
  readonly priority: Priority;
  readonly tags: TagChange;
  /** Default: the task that the priority belongs to. */
  readonly parent?: number | undefined;
  /** Ids of the tasks that it comes after. */
  readonly after: readonly number[];
  readonly gated: boolean;
  /** Default: the caller. */
  readonly creator?: Caller | undefined;
  readonly metadata: Readonly<Record<string, unknown>>;
}

/** What is to change in a task; what is undefined stays. */
export interface TaskEdit {
  readonly title?: string | undefined;
  readonly body?: string | undefined;
  readonly status?: SettableStatus | undefined;
  readonly priority?: Priority | undefined;
  readonly tags?: TagChange | undefined;
  readonly parent?: number | 'none' | undefined;
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
  /** Ids of tasks that this one held up, and that are open now. */
  readonly unblocked: readonly number[];
  /** How the agent wanted to finish a gated task; it is up to the user now. */
  readonly asked: FinalStatus | undefined;
  /** Tags that no task had before, and those there were. */
  readonly newTags: readonly string[];
  readonly knownTags: readonly string[];
}

/** Which tasks a list shows: those that match every field. */
export interface TaskFilter {
  readonly statuses: readonly Status[];
  /** First numbers of priorities, one of which has to match: `[[1], [2, 1]]`. Empty for any. */
  readonly priorities: readonly (readonly number[])[];
  /** Groups of tags; a task needs all tags of one group. Empty for any. */
  readonly tags: readonly (readonly string[])[];
  /** Ids, one of which has to be the parent. Empty for any. */
  readonly parents: readonly number[];
  /** True for tasks without activity for long. */
  readonly stale: boolean;
  /** True for tasks that can be started: open, and without unfinished parts. */
  readonly ready: boolean;
}

/** The tasks that are still to be done. */
export const ACTIVE_TASKS: TaskFilter = {
  statuses: ACTIVE,
  priorities: [],
  tags: [],
  parents: [],
  stale: false,
  ready: false,
};

/** Which part of a list. */
export interface PageRange {
  /** Position of the first row, from 1. */
  readonly first: number;
  readonly most: number;
}
