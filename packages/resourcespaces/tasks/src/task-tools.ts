import { tool, type ToolDefinition } from '@bae/core';
import { renderSignature } from '@bae/core/pipeline';
import { TASK_TOOLS, type ArgsOf, type TaskTool } from './arguments/task-params.ts';
import type { TaskAnswer } from './task-answer.ts';
import type { TaskStore } from './task-store.ts';

const { read, write, edit, glob, grep } = TASK_TOOLS;
const nothing = (): string => '';

/** The tools as data, to bind arguments and to print how they are called; they do nothing. */
export const DEFINITIONS: Readonly<Record<TaskTool, ToolDefinition>> = {
  read: tool(read.description, read.params, nothing).named('read'),
  write: tool(write.description, write.params, nothing, { body: 'body' }).named('write'),
  edit: tool(edit.description, edit.params, nothing, { body: 'body' }).named('edit'),
  glob: tool(glob.description, glob.params, nothing).named('glob'),
  grep: tool(grep.description, grep.params, nothing).named('grep'),
};

/** How a tool is called: `read(target: string = "", from: int = 1)`. */
export function usageOf(name: TaskTool): string {
  return renderSignature(DEFINITIONS[name].spec, { style: 'call' });
}

/** What the store returns for a call of a tool. @param most rows of a list. Default: those of a page */
export type StoreCall = (tasks: TaskStore, most?: number) => TaskAnswer;

const CALLS: { readonly [T in TaskTool]: (args: ArgsOf<T>) => StoreCall } = {
  read:
    ({ target, from: first }) =>
    (tasks, most) => {
      if (target.kind === 'task') return { kind: 'task', task: tasks.task(target.id) };
      if (target.kind === 'history') return { kind: 'history', page: tasks.history(target.id, { first, most }) };
      return { kind: 'list', page: tasks.list(target.filter, { first, most }), filters: target.words };
    },
  write: (wish) => (tasks) => ({ kind: 'created', outcome: tasks.create(wish) }),
  edit:
    ({ id, ...edit }) =>
    (tasks) => ({ kind: 'edited', outcome: tasks.edit({ id, edit }) }),
  glob:
    ({ pattern, from: first }) =>
    (tasks, most) => ({
      kind: 'titles',
      page: tasks.glob(pattern, { first, most }),
      pattern,
    }),
  grep:
    ({ text, from: first }) =>
    (tasks, most) => ({ kind: 'matches', page: tasks.search(text, { first, most }), text }),
};

/** The call of the store that a tool makes. It throws TaskRuleError for what the rules forbid. */
export function storeCallOf<T extends TaskTool>(name: T, args: ArgsOf<T>): StoreCall {
  return CALLS[name](args);
}
