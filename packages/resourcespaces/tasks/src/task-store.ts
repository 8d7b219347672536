import { countTasks, STALE_DAYS, type TaskCounts } from './storage/count-tasks.ts';
import { createTask } from './rules/create-task.ts';
import { editTask, type EditRequest } from './rules/edit-task.ts';
import { globTasks } from './storage/glob-tasks.ts';
import { listTasks } from './storage/list-tasks.ts';
import { readTask } from './storage/read-tasks.ts';
import { readAudit } from './storage/task-audit.ts';
import { searchTasks } from './storage/search-tasks.ts';
import { TaskDatabase } from './storage/task-database.ts';
import type { Actor, NewTask, TaskOutcome } from './task-edit.ts';
import type { TaskFilter } from './task-filter.ts';
import { MOST_ROWS, type PageRange, type TaskPage } from './storage/task-page.ts';
import type { AuditEntry, Caller, TaskDetail } from './task.ts';

/** Where tasks are kept, and who works with them. */
export interface TaskStoreOptions {
  /** Path of the database; it is made when the first task is written. */
  readonly file: string;
  /** Who makes changes. */
  readonly caller: Caller;
  /** Tells the time. Default: the clock of this machine. */
  readonly now?: (() => Date) | undefined;
}

/** Some of the changes of a task, newest first. */
export interface HistoryPage {
  readonly task: TaskDetail;
  readonly entries: readonly AuditEntry[];
  /** Place of the first of them, from 1 for the newest. */
  readonly first: number;
}

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

  /** The tasks that pass a filter, from a place of the list on. */
  list(filter: TaskFilter, range: PageRange): TaskPage {
    return this.#database.read((rows) => listTasks(rows, { ...range, filter, staleBefore: this.#staleBefore() }));
  }

  /** The tasks with every word of a text, best first. */
  search(text: string, range: PageRange): TaskPage {
    return this.#database.read((rows) => searchTasks(rows, text, range));
  }

  /** The tasks whose title fits a pattern. */
  glob(pattern: string, range: PageRange): TaskPage {
    return this.#database.read((rows) => globTasks(rows, pattern, range));
  }

  task(id: number): TaskDetail {
    return this.#database.read((rows) => readTask(rows, id, 'target'));
  }

  history(id: number, { first, most = MOST_ROWS }: PageRange): HistoryPage {
    return this.#database.read((rows) => {
      const task = readTask(rows, id, 'target');
      return { task, entries: readAudit(rows, id, { first, most }), first };
    });
  }

  create(wish: NewTask): TaskOutcome {
    return this.#database.write((database) => createTask(database, wish, this.#actor()));
  }

  edit(request: EditRequest): TaskOutcome {
    this.#check(request);
    return this.#database.write((database) => editTask(database, request, this.#actor()));
  }

  /** What an edit would change; changes nothing. */
  preview(request: EditRequest): TaskOutcome {
    this.#check(request);
    return this.#database.tryOut((database) => editTask(database, request, this.#actor()));
  }

  /** Lets go of the file. Called once or more. */
  close(): void {
    this.#database.close();
  }

  /** Where there is no task yet, an edit must not make a file. */
  #check({ id }: EditRequest): void {
    this.#database.read((rows) => readTask(rows, id, 'id'));
  }

  #actor(): Actor {
    return { who: this.#caller, now: this.#now() };
  }

  #staleBefore(): Date {
    return new Date(this.#now().getTime() - STALE_DAYS * DAY_MS);
  }
}
