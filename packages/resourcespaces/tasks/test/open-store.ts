import { onTestFinished } from 'vitest';
import {
  ACTIVE_TASKS,
  type NewTask,
  type TaskDetail,
  type TaskEdit,
  type TaskFilter,
  type TaskOutcome,
} from '../src/task.ts';
import { parsePriority } from '../src/task-fields.ts';
import { type TaskProblem, TaskRuleError } from '../src/task-problem.ts';
import { openTaskStore, type TaskCaller, type TasksInFile, type TaskStore } from '../src/task-store.ts';
import { newFile } from './open-tasks.ts';

/** A new task as a test writes it. */
type Wish = Partial<Omit<NewTask, 'priority' | 'tags'>> & {
  readonly priority?: string;
  readonly tags?: readonly string[];
};

/** A store with short ways to work with it. */
export class OpenStore {
  readonly store: TaskStore<false>;
  readonly file: string;

  constructor({ file = newFile(), caller = 'agent', now }: Partial<TaskCaller & TasksInFile> = {}) {
    this.file = file;
    this.store = openTaskStore({ file, caller, now });
    onTestFinished(() => this.store.close());
  }

  /** Makes a task and returns its id. */
  add(title: string, { priority = '0.0.0', tags = [], ...wish }: Wish = {}): number {
    const parsed = parsePriority(priority);
    if (parsed === undefined) throw new Error(`${priority} is no priority`);
    const task = { title, body: '', after: [], gated: false, metadata: {}, ...wish };
    return this.store.create({ ...task, priority: parsed, tags: { kind: 'set', tags } }).task.id;
  }

  edit(id: number, edit: TaskEdit): TaskOutcome {
    return this.store.edit({ id, edit });
  }

  done(id: number): TaskOutcome {
    return this.edit(id, { status: 'done' });
  }

  task(id: number): TaskDetail {
    return this.store.task(id);
  }

  /** Ids of a list. */
  ids(filter: Partial<TaskFilter> = {}): readonly number[] {
    return this.store.list({ ...ACTIVE_TASKS, ...filter }, { first: 1, most: 40 }).tasks.map(({ id }) => id);
  }
}

/** The rule that some work breaks. */
export function problemOf(work: () => unknown): TaskProblem {
  try {
    work();
  } catch (error) {
    if (error instanceof TaskRuleError) return error.problem;
    throw error;
  }
  throw new Error('no rule was broken');
}
