import type { SqlDatabase } from '@bae/store';
import { createTask, editTask, placeTask, type EditRequest, type TaskPlacement } from './rules/change-task.ts';
import { listTasks } from './storage/list-tasks.ts';
import { countTasks, readAudit, readTask, STALE_DAYS, type TaskCounts, type TaskPage } from './storage/read-tasks.ts';
import { globTasks, searchTasks } from './storage/search-tasks.ts';
import { SharedTasks } from './storage/shared-tasks.ts';
import { TaskFile, type Done, type TaskDatabase } from './storage/task-database.ts';
import type { Work } from './storage/task-place.ts';
import type { Actor, AuditEntry, Caller, NewTask, PageRange, TaskDetail, TaskFilter, TaskOutcome } from './task.ts';

/** The storage of tasks and their user. */
export type TaskStoreOptions = TaskCaller & (TasksInFile | TasksOnServer);

export interface TaskCaller {
  /** The author of changes: `user` may finish gated tasks. */
  readonly caller: Caller;
  /** Default: the clock of this machine. */
  readonly now?: (() => Date) | undefined;
}

export interface TasksInFile {
  /** Path of the database, which is created when the first task is written. */
  readonly file: string;
}

export interface TasksOnServer {
  /** A PostgreSQL database with the `tasksTables` of a list. */
  readonly database: SqlDatabase;
}

/** A page of the changes of a task, newest first. */
export interface HistoryPage {
  readonly task: TaskDetail;
  readonly entries: readonly AuditEntry[];
  /** Position of the first entry; the newest change has position 1. */
  readonly first: number;
}

/** Inspects a change before it is saved; an error that it throws undoes the change. */
type OutcomeCheck = (outcome: TaskOutcome) => void;

const DAY_MS = 24 * 60 * 60 * 1000;

/**
 * Tasks in one file, or in one list on a server, with their rules. Several stores, in one process or many, may work on
 * the same tasks. For a file, every method is finished when it returns; for a server, it returns a promise.
 *
 * A change is stored, with its audit entry, when a method is finished; a failed method has changed nothing. Errors are
 * a TaskRuleError for a violated rule, and a StoreError when the tasks cannot be read or written.
 */
export class TaskStore<Later extends boolean> {
  readonly #database: TaskDatabase<Later>;
  readonly #caller: Caller;
  readonly #now: () => Date;

  constructor(database: TaskDatabase<Later>, { caller, now = () => new Date() }: TaskCaller) {
    this.#database = database;
    this.#caller = caller;
    this.#now = now;
  }

  counts(): Done<Later, TaskCounts> {
    return this.#database.read(countTasks(this.#staleBefore()));
  }

  /** Lists the tasks that match a filter. */
  list(filter: TaskFilter, range: PageRange): Done<Later, TaskPage> {
    return this.#database.read(listTasks({ ...range, filter, staleBefore: this.#staleBefore() }));
  }

  /** Finds the tasks that contain every word of a text, best first. */
  search(text: string, range: PageRange): Done<Later, TaskPage> {
    return this.#database.read(searchTasks(text, range));
  }

  /** Lists the tasks whose title matches a pattern. */
  glob(pattern: string, range: PageRange): Done<Later, TaskPage> {
    return this.#database.read(globTasks(pattern, range));
  }

  task(id: number): Done<Later, TaskDetail> {
    return this.#database.read(readTask(id, 'target'));
  }

  history(id: number, range: PageRange): Done<Later, HistoryPage> {
    return this.#database.read(readHistory(id, range));
  }

  /** Determines the place of a new task; changes nothing. */
  place(wish: NewTask): Done<Later, TaskPlacement> {
    return this.#database.read(placeTask(wish));
  }

  create(wish: NewTask, check?: OutcomeCheck): Done<Later, TaskOutcome> {
    return this.#database.write(checkOutcome(createTask(wish, this.#actor()), check));
  }

  /** Returns the outcome that an edit would have; changes nothing. */
  preview(request: EditRequest): Done<Later, TaskOutcome> {
    return this.#database.tryOut(editTask(request, this.#actor()));
  }

  edit(request: EditRequest, check?: OutcomeCheck): Done<Later, TaskOutcome> {
    return this.#database.change(checkOutcome(editTask(request, this.#actor()), check));
  }

  /** Closes the storage. Can be called more than once. */
  close(): Done<Later, void> {
    return this.#database.close();
  }

  #actor(): Actor {
    return { who: this.#caller, now: this.#now() };
  }

  #staleBefore(): Date {
    return new Date(this.#now().getTime() - STALE_DAYS * DAY_MS);
  }
}

/** Opens the tasks in a file, or those on a server. */
export function openTaskStore(options: TaskCaller & TasksInFile): TaskStore<false>;
export function openTaskStore(options: TaskStoreOptions): TaskStore<boolean>;
export function openTaskStore(options: TaskStoreOptions): TaskStore<boolean> {
  if ('file' in options) return new TaskStore(new TaskFile(options.file), options);
  return new TaskStore(new SharedTasks(options.database), options);
}

function* readHistory(id: number, range: PageRange): Work<HistoryPage> {
  const task = yield* readTask(id, 'target');
  return { task, entries: yield* readAudit(id, range), first: range.first };
}

function* checkOutcome(change: Work<TaskOutcome>, check: OutcomeCheck | undefined): Work<TaskOutcome> {
  const outcome = yield* change;
  check?.(outcome);
  return outcome;
}
