import { tool, type ToolDefinition } from '@bae/core';
import { signature } from '@bae/core/pipeline';
import { TASK_PARAMS } from '../arguments/task-params.ts';

/** A tool of the space. */
export type TaskTool = keyof typeof TASK_PARAMS;

const nothing = (): string => '';

/** The tools as data; they do nothing. */
const TOOLS: Readonly<Record<TaskTool, ToolDefinition>> = {
  read: tool('', TASK_PARAMS.read, nothing).named('read'),
  write: tool('', TASK_PARAMS.write, nothing, { body: 'body' }).named('write'),
  edit: tool('', TASK_PARAMS.edit, nothing, { body: 'body' }).named('edit'),
  glob: tool('', TASK_PARAMS.glob, nothing).named('glob'),
  grep: tool('', TASK_PARAMS.grep, nothing).named('grep'),
};

/** How a tool is called: `read(target: string = "", from: int = 1)`. */
export function usageOf(name: TaskTool): string {
  return signature(TOOLS[name].spec, { style: 'call' });
}
