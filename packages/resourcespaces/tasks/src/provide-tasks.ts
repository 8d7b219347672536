import type { Provision } from '@bae/core';
import type { TaskAnswer } from './task-answer.ts';
import type { TaskStoreOptions } from './task-store.ts';

/** What the space asks for: `@inject(TASKS) options: TasksOptions`. */
export const TASKS = Symbol.for('bae.tasks');

/** Where tasks are kept, who works with them, and who else hears of it. */
export interface TasksOptions extends TaskStoreOptions {
  /** Hears every answer as data: for programs that show tasks in a form of their own. */
  readonly onAnswer?: ((answer: TaskAnswer) => void) | undefined;
}

/**
 * Gives the tasks space of an agent its tasks: `createAgent({ provide: [provideTasks({ file, caller: 'agent' })] })`.
 *
 * Where a person is the one who calls, as on a command line, it is `caller: 'user'`, who may finish gated tasks.
 */
export function provideTasks(options: TasksOptions): Provision {
  return { token: TASKS, value: options };
}
