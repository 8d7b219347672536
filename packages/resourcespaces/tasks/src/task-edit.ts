import type { Caller, FieldChange, FinalStatus, SettableStatus, TaskDetail } from './task.ts';
import type { Priority } from './task-priority.ts';
import type { TagChange } from './task-tags.ts';

/** What a task comes after: some more, some fewer; ids. */
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
  /** Undefined for the one that the priority belongs to. */
  readonly parent?: number | undefined;
  /** Ids of the tasks that it comes after. */
  readonly after: readonly number[];
  readonly gated: boolean;
  /** Undefined for whoever makes it. */
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

/** Who makes a change, and when. */
export interface Actor {
  readonly who: Caller;
  readonly now: Date;
}

/** What became of a new task or an edit. */
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
