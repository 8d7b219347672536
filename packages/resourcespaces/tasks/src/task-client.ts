import type { Awaitable } from '@bae/store';
import { ParameterError, tool, type ToolDefinition } from '@bae/core';
import { bindArguments, TOKEN_CAP } from '@bae/core/pipeline';
import { parseReadTarget } from './arguments/read-target.ts';
import { TASK_TOOLS, type TaskTool } from './arguments/task-params.ts';
import { createTagWriter, type CallWriter } from './render/call-writer.ts';
import { explainProblems } from './render/explain-problem.ts';
import { countRowsOnPage } from './render/render-list.ts';
import { renderTaskResult } from './render/render-result.ts';
import { openTaskStore, type TaskStore, type TaskStoreOptions } from './task-store.ts';
import { callStore, type TaskCall, type TaskResult } from './task-tools.ts';

const { read, write, edit, glob, grep } = TASK_TOOLS;
const doNothing = (): string => '';

/** Definitions of the tools, used to bind arguments and to print signatures. */
const DEFINITIONS: Readonly<Record<TaskTool, ToolDefinition>> = {
  read: tool(read.description, read.params, doNothing).named('read'),
  write: tool(write.description, write.params, doNothing, { body: 'body' }).named('write'),
  edit: tool(edit.description, edit.params, doNothing, { body: 'body' }).named('edit'),
  glob: tool(glob.description, glob.params, doNothing).named('glob'),
  grep: tool(grep.description, grep.params, doNothing).named('grep'),
};

/** A client for programs that call the tools themselves and display the results in their own form. */
export class TaskClient {
  readonly #tasks: TaskStore<boolean>;
  readonly #write: CallWriter;

  /** @param write writes the calls that texts and hints mention. Default: tags that are valid at home */
  constructor(options: TaskStoreOptions, write: CallWriter = createTagWriter((tag) => `<tasks.${tag.slice(1)}`)) {
    this.#tasks = openTaskStore(options);
    this.#write = write;
  }

  /**
   * Calls a tool with arguments as text, by the same rules as a call of an agent.
   *
   * @param most maximum number of rows in a list. Default: the size of a page
   * @throws ParameterError for invalid arguments; BaeError when the rules of tasks forbid the call
   */
  async call(
    name: TaskTool,
    args: Readonly<Record<string, string>>,
    most: number = countRowsOnPage(TOKEN_CAP),
  ): Promise<TaskResult> {
    const definition = DEFINITIONS[name];
    const bound = await bindArguments(definition, { kwargs: args });
    if (!bound.ok) {
      const valueOf: ValueOf = (field, example = '') => {
        const { [field]: value } = bound.known;
        // A text is written as it was meant, and a list as it was sent.
        if (typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean') return String(value);
        return value === undefined ? example : (args[field] ?? example);
      };
      throw new ParameterError(bound.error.message, [CORRECTED[name](valueOf, this.#write)]);
    }
    // The schema has validated the arguments, so they belong to this tool.
    const call = { name, args: bound.params } as unknown as TaskCall;
    return explainProblems({ definition, write: this.#write }, () => callStore(this.#tasks, call, most));
  }

  /** Renders a result for an agent, with calls as this client writes them. */
  render(result: TaskResult): string {
    return renderTaskResult(result, this.#write, TOKEN_CAP).text;
  }

  /** Closes the storage. Can be called more than once. */
  close(): Awaitable<void> {
    return this.#tasks.close();
  }
}

/** Returns the value of a valid argument, or else of an example. */
type ValueOf = (field: string, example?: string) => string;

/** Lists the valid fields of a task by name. */
function listFields(tool: 'write' | 'edit', valueOf: ValueOf): Readonly<Record<string, string>> {
  const [, ...others] = DEFINITIONS[tool].spec.params.filter(({ body }) => body !== true);
  const fields = others.map(({ name }) => [name, valueOf(name)] as const);
  return Object.fromEntries(fields.filter(([, value]) => value !== ''));
}

/** Functions that write the call without the invalid arguments. */
const CORRECTED: Readonly<Record<TaskTool, (valueOf: ValueOf, write: CallWriter) => string>> = {
  read(valueOf, write) {
    const target = valueOf('target');
    const parsed = parseReadTarget(target);
    if (!('value' in parsed) || parsed.value.kind === 'list') return write.list(target);
    const { kind, id } = parsed.value;
    return kind === 'task' ? write.show(id) : write.history(id);
  },
  write: (valueOf, write) => write.create(valueOf('title', 'Fix login'), listFields('write', valueOf), valueOf('body')),
  edit(valueOf, write) {
    const fields = listFields('edit', valueOf);
    const body = valueOf('body') || undefined;
    const isEmpty = Object.keys(fields).length === 0 && body === undefined;
    return write.edit(Number(valueOf('id', '7')), isEmpty ? { status: 'in_progress' } : fields, body);
  },
  glob: (valueOf, write) => write.titles(valueOf('pattern', '*login*')),
  grep: (valueOf, write) => write.search(valueOf('text', 'login')),
};
