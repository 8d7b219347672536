import type { ArgsOf, TaskTool } from './arguments/task-params.ts';
import type { TaskPage } from './storage/read-tasks.ts';
import type { HistoryPage, TaskStore } from './task-store.ts';
import {
  ACTIVE_TASKS,
  type PageRange,
  type Status,
  type TaskDetail,
  type TaskFilter,
  type TaskOutcome,
} from './task.ts';

/** The result of a tool, before it is rendered. */
export type TaskResult =
  | {
      readonly kind: 'list';
      readonly page: TaskPage;
      /** The filters as written in the call; empty for all active tasks. */
      readonly filters: string;
      /** For all active tasks, if there are none: those that are not active any more, by status. */
      readonly finished?: readonly (readonly [status: Status, page: TaskPage])[];
    }
  | { readonly kind: 'titles'; readonly page: TaskPage; readonly pattern: string }
  | { readonly kind: 'matches'; readonly page: TaskPage; readonly text: string }
  | { readonly kind: 'task'; readonly task: TaskDetail }
  | { readonly kind: 'history'; readonly page: HistoryPage }
  | { readonly kind: 'created'; readonly outcome: TaskOutcome }
  | { readonly kind: 'edited'; readonly outcome: TaskOutcome };

/** A tool with its arguments. */
export type TaskCall = { readonly [T in TaskTool]: { readonly name: T; readonly args: ArgsOf<T> } }[TaskTool];

/**
 * Calls the store method for a tool.
 *
 * @param most maximum number of rows in a list
 */
export async function callStore(
  tasks: TaskStore<boolean>,
  { name, args }: TaskCall,
  most: number,
): Promise<TaskResult> {
  switch (name) {
    case 'read': {
      const { target, from: first } = args;
      if (target.kind === 'list') return listWithFinished(tasks, target, { first, most });
      if (target.kind === 'task') return { kind: 'task', task: await tasks.task(target.id) };
      return { kind: 'history', page: await tasks.history(target.id, { first, most }) };
    }
    case 'write':
      return { kind: 'created', outcome: await tasks.create(args) };
    case 'edit': {
      const { id, ...edit } = args;
      return { kind: 'edited', outcome: await tasks.edit({ id, edit }) };
    }
    case 'glob':
      return {
        kind: 'titles',
        page: await tasks.glob(args.pattern, { first: args.from, most }),
        pattern: args.pattern,
      };
    default:
      return { kind: 'matches', page: await tasks.search(args.text, { first: args.from, most }), text: args.text };
  }
}

async function listWithFinished(
  tasks: TaskStore<boolean>,
  { filter, words }: { readonly filter: TaskFilter; readonly words: string },
  range: PageRange,
): Promise<TaskResult> {
  const page = await tasks.list(filter, range);
  const result = { kind: 'list', page, filters: words } as const;
  if (page.total > 0 || words !== '') return result;
  const count = async (status: Status) =>
    [status, await tasks.list({ ...ACTIVE_TASKS, statuses: [status] }, { first: 1, most: 1 })] as const;
  return { ...result, finished: [await count('done'), await count('cancelled')] };
}
