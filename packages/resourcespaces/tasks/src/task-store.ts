import type { Database } from '@bae/store';
import { createTask, editTask, placeTask, type EditRequest, type TaskPlacement } from './rules/change-task.ts';
import { listTasks } from './storage/list-tasks.ts';
import { countTasks, readAudit, readTask, STALE_DAYS, type TaskCounts, type TaskPage } from './storage/read-tasks.ts';
import { globTasks, searchTasks } from './storage/search-tasks.ts';
import { TaskDatabase, type PageRange } from './storage/task-database.ts';
import type { Actor, AuditEntry, Caller, NewTask, TaskDetail, TaskFilter, TaskOutcome } from './task.ts';

/** Where tasks are kept, and who works with them. */
export interface TaskStoreOptions {
  /** Path of the database; it is made when the first task is written. */
  readonly file: string;
  /** Who makes changes: `user` may finish gated tasks. */
  readonly caller: Caller;
  /** Default: the clock of this machine. */
  readonly now?: (() => Date) | undefined;
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
 * Tasks in one file, with the rules they obey. Several stores, of one process or many, may work on one file.
 *
 * A change is on disk, with its audit, when a method returns; one that throws has changed nothing. Throws
 * TaskRuleError for what the rules forbid, StoreError when the file cannot be used.
 */
export class TaskStore {
  readonly #database: TaskDatabase;
  readonly #caller: Caller;
  readonly #now: () => Date;

  constructor({ file, caller, now = () => new Date() }: TaskStoreOptions) {
    this.#database = new TaskDatabase(file);
    this.#caller = caller;
    this.#now = now;
  }

  counts(): TaskCounts {
    return this.#database.read((rows) => countTasks(rows, this.#staleBefore()));
  }

  /** The tasks that match a filter. */
  list(filter: TaskFilter, range: PageRange): TaskPage {
    return this.#database.read((rows) => listTasks(rows, { ...range, filter, staleBefore: this.#staleBefore() }));
  }

  /** The tasks with every word of a text, best first. */
  search(text: string, range: PageRange): TaskPage {
    return this.#database.read((rows) => searchTasks(rows, text, range));
  }

  /** The tasks whose title matches a pattern. */
  glob(pattern: string, range: PageRange): TaskPage {
    return this.#database.read((rows) => globTasks(rows, pattern, range));
  }

  task(id: number): TaskDetail {
    return this.#database.read((rows) => readTask(rows, id, 'target'));
  }

  history(id: number, range: PageRange): HistoryPage {
    return this.#database.read((rows) => {
      const task = readTask(rows, id, 'target');
      return { task, entries: readAudit(rows, id, range), first: range.first };
    });
  }

  /** Where a new task would belong; changes nothing. */
  place(wish: NewTask): TaskPlacement {
    return this.#database.read((rows) => placeTask(rows, wish));
  }

  create(wish: NewTask, check?: OutcomeCheck): TaskOutcome {
    return this.#change((database) => createTask(database, wish, this.#actor()), check);
  }

  /** The outcome that an edit would have; changes nothing. */
  preview(request: EditRequest): TaskOutcome {
    this.#requireTask(request);
    return this.#database.tryOut((database) => editTask(database, request, this.#actor()));
  }

  edit(request: EditRequest, check?: OutcomeCheck): TaskOutcome {
    this.#requireTask(request);
    return this.#change((database) => editTask(database, request, this.#actor()), check);
  }

  /** Closes the file. Can be called more than once. */
  close(): void {
    this.#database.close();
  }

  #change(work: (database: Database) => TaskOutcome, check: OutcomeCheck | undefined): TaskOutcome {
    return this.#database.write((database) => {
      const outcome = work(database);
      check?.(outcome);
      return outcome;
    });
  }

  /** Where there is no task yet, an edit must not make a file. */
  #requireTask({ id }: EditRequest): void {
    this.#database.read((rows) => readTask(rows, id, 'id'));
  }

  #actor(): Actor {
    return { who: this.#caller, now: this.#now() };
  }

  #staleBefore(): Date {
    return new Date(this.#now().getTime() - STALE_DAYS * DAY_MS);
  }
}
