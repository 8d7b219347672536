import type { ReadTarget } from './arguments/read-target.ts';
import type { PageRange } from './storage/task-page.ts';
import type { TaskAnswer } from './task-answer.ts';
import type { TaskStore } from './task-store.ts';

/** What a read is answered: a list, a task, or its history. */
export function answerRead(tasks: TaskStore, target: ReadTarget, range: PageRange): TaskAnswer {
  if (target.kind === 'task') return { kind: 'task', task: tasks.task(target.id) };
  if (target.kind === 'history') return { kind: 'history', page: tasks.history(target.id, range) };
  return { kind: 'list', page: tasks.list(target.filter, range), filters: target.words };
}
