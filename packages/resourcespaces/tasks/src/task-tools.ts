import { tool, type ToolDefinition } from '@bae/core';
import { signature } from '@bae/core/pipeline';
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
  return signature(DEFINITIONS[name].spec, { style: 'call' });
}

type StoreCalls = {
  readonly [T in TaskTool]: (tasks: TaskStore, args: ArgsOf<T>, most: number | undefined) => TaskAnswer;
};

const CALLS: StoreCalls = {
  read(tasks, { target, from: first }, most) {
    if (target.kind === 'task') return { kind: 'task', task: tasks.task(target.id) };
    if (target.kind === 'history') return { kind: 'history', page: tasks.history(target.id, { first, most }) };
    return { kind: 'list', page: tasks.list(target.filter, { first, most }), filters: target.words };
  },
  write: (tasks, wish) => ({ kind: 'created', outcome: tasks.create(wish) }),
  edit: (tasks, { id, ...edit }) => ({ kind: 'edited', outcome: tasks.edit({ id, edit }) }),
  glob: (tasks, { pattern, from: first }, most) => ({
    kind: 'titles',
    page: tasks.glob(pattern, { first, most }),
    pattern,
  }),
  grep: (tasks, { text, from: first }, most) => ({ kind: 'matches', page: tasks.search(text, { first, most }), text }),
};

/**
 * What the store returns for a call of a tool.
 *
 * @param most rows of a list. Default: those of a page
 * @throws TaskRuleError for what the rules forbid
 */
export function callStore<T extends TaskTool>(
  tasks: TaskStore,
  { name, args }: { readonly name: T; readonly args: ArgsOf<T> },
  most?: number,
): TaskAnswer {
  return CALLS[name](tasks, args, most);
}
