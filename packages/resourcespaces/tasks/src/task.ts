import type { Priority } from './task-priority.ts';

/** Who does something: the language model, or the person it works for. */
export type Caller = 'agent' | 'user';

/** Every status, in the order of lists. `blocked` is never set: it follows from what a task comes after. */
export const STATUSES = ['in_progress', 'blocked', 'open', 'done', 'cancelled'] as const;
export type Status = (typeof STATUSES)[number];

/** What a task can be asked to be. */
export const SETTABLE = ['open', 'in_progress', 'done', 'cancelled'] as const;
export type SettableStatus = (typeof SETTABLE)[number];
export type FinalStatus = 'done' | 'cancelled';

/** One work item, as it is shown in lists. */
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
  /** How many changes there were. */
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

/** True when nothing of a task can change any more. */
export function isFinished(status: Status): status is FinalStatus {
  return status === 'done' || status === 'cancelled';
}
