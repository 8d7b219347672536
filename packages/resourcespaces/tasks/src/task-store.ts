import type { SqlDatabase } from '@bae/store';
import { createTask, editTask, placeTask, type EditRequest, type TaskPlacement } from './rules/change-task.ts';
import { listTasks } from './storage/list-tasks.ts';
import { countTasks, readAudit, readTask, STALE_DAYS, type TaskCounts, type TaskPage } from './storage/read-tasks.ts';
import { globTasks, searchTasks } from './storage/search-tasks.ts';
import { SharedTasks } from './storage/shared-tasks.ts';
import { TaskFile, type Done, type PageRange, type TaskDatabase } from './storage/task-database.ts';
import type { Work } from './storage/task-work.ts';
import type { Actor, AuditEntry, Caller, NewTask, TaskDetail, TaskFilter, TaskOutcome } from './task.ts';

/** Where tasks are kept, and who works with them. */
export type TaskStoreOptions = TaskCaller & (TasksInFile | TasksOnServer);

export interface TaskCaller {
  /** Who makes changes: `user` may finish gated tasks. */
  readonly caller: Caller;
  /** Default: the clock of this machine. */
  readonly now?: (() => Date) | undefined;
}

export interface TasksInFile {
  /** Path of the database; it is made when the first task is written. */
  readonly file: string;
}

export interface TasksOnServer {
  /** A database of PostgreSQL with the `tasksTables` of a list. */
  readonly database: SqlDatabase;
}

/** Some of the changes of a task, newest first. */
export interface HistoryPage {
  readonly task: TaskDetail;
  readonly entries: readonly AuditEntry[];
  /** Position of the first of them, from 1 for the newest. */
  readonly first: number;
}

/** Sees a change before it is saved; an error that it throws undoes the change. */
type OutcomeCheck = (outcome: TaskOutcome) => void;

const DAY_MS = 24 * 60 * 60 * 1000;

/**
 * Tasks in one file or in one list on a server, with the rules they obey. Several stores, of one process or many, may
 * work on the same tasks. In a file every method is done when it returns; on a server it returns a promise.
 *
 * A change is stored, with its audit, when a method is done; one that fails has changed nothing. Errors are a
 * TaskRuleError for what the rules forbid, a StoreError when the tasks cannot be read or written.
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

  /** The tasks that match a filter. */
  list(filter: TaskFilter, range: PageRange): Done<Later, TaskPage> {
    return this.#database.read(listTasks({ ...range, filter, staleBefore: this.#staleBefore() }));
  }

  /** The tasks with every word of a text, best first. */
  search(text: string, range: PageRange): Done<Later, TaskPage> {
    return this.#database.read(searchTasks(text, range));
  }

  /** The tasks whose title matches a pattern. */
  glob(pattern: string, range: PageRange): Done<Later, TaskPage> {
    return this.#database.read(globTasks(pattern, range));
  }

  task(id: number): Done<Later, TaskDetail> {
    return this.#database.read(readTask(id, 'target'));
  }

  history(id: number, range: PageRange): Done<Later, HistoryPage> {
    return this.#database.read(readHistory(id, range));
  }

  /** Where a new task would belong; changes nothing. */
  place(wish: NewTask): Done<Later, TaskPlacement> {
    return this.#database.read(placeTask(wish));
  }

  create(wish: NewTask, check?: OutcomeCheck): Done<Later, TaskOutcome> {
    return this.#database.write(checkOutcome(createTask(wish, this.#actor()), check));
  }

  /** The outcome that an edit would have; changes nothing. */
  preview(request: EditRequest): Done<Later, TaskOutcome> {
    return this.#database.tryOut(editTask(request, this.#actor()));
  }

  edit(request: EditRequest, check?: OutcomeCheck): Done<Later, TaskOutcome> {
    return this.#database.change(checkOutcome(editTask(request, this.#actor()), check));
  }

  /** Can be called more than once. */
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

/** Opens the tasks of a file, or those on a server. */
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
