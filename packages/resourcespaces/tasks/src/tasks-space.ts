import {
  inject,
  resourcespace,
  tool,
  type Change,
  type Provision,
  type Resourcespace,
  type SearchHit,
  type ToolContext,
} from '@bae/core';
import { z } from 'zod';
import { TASK_TOOLS, type ArgsOf } from './arguments/task-params.ts';
import type { TaskPresenter } from './task-presenter.ts';
import type { TaskStoreOptions } from './task-store.ts';

/** The token that the space injects. */
const TASKS = Symbol.for('bae.tasks');

/**
 * Provides the tasks space of an agent with its tasks:
 * `createAgent({ provide: [provideTasks({ file, caller: 'agent' })] })`.
 *
 * If a person makes the calls, as on a command line, pass `caller: 'user'`, which may finish gated tasks.
 */
export function provideTasks(options: TaskStoreOptions): Provision {
  return { token: TASKS, value: options };
}

/** The tasks that an agent and a person share, as the model sees them. The presenter does the rest. */
@resourcespace({
  name: 'tasks',
  description: 'Work items that you and the user share; they outlive the session.',
  synonyms: ['todo', 'issue', 'backlog', 'plan'],
})
export class TasksSpace implements Resourcespace {
  readonly #options: TaskStoreOptions;
  #presenter: Promise<TaskPresenter> | undefined;

  constructor(@inject(TASKS) options: TaskStoreOptions) {
    this.#options = options;
  }

  async enter(): Promise<string> {
    return (await this.#load()).renderState();
  }

  async status(): Promise<Readonly<Record<string, number>>> {
    return (await this.#load()).getStatus();
  }

  async search(query: string, limit: number): Promise<readonly SearchHit[]> {
    return (await this.#load()).search(query, limit);
  }

  @tool(TASK_TOOLS.read)
  async read(args: ArgsOf<'read'>, context: ToolContext) {
    return (await this.#load()).read({ name: 'read', args }, context);
  }

  @tool({ ...TASK_TOOLS.write, body: 'body', target: () => 'new', plan: true, output: () => z.object({ id: z.int() }) })
  async write(args: ArgsOf<'write'>, context: ToolContext): Promise<Change> {
    return (await this.#load()).planWrite(args, context);
  }

  @tool({ ...TASK_TOOLS.edit, body: 'body', plan: true })
  async edit(args: ArgsOf<'edit'>, context: ToolContext): Promise<Change> {
    return (await this.#load()).planEdit(keepBody(args, context), context);
  }

  @tool(TASK_TOOLS.glob)
  async glob(args: ArgsOf<'glob'>, context: ToolContext) {
    return (await this.#load()).read({ name: 'glob', args }, context);
  }

  @tool(TASK_TOOLS.grep)
  async grep(args: ArgsOf<'grep'>, context: ToolContext) {
    return (await this.#load()).read({ name: 'grep', args }, context);
  }

  async dispose(): Promise<void> {
    await (await this.#presenter)?.close();
  }

  /** Loads database, rules and texts on the first call: most sessions never make one. */
  #load(): Promise<TaskPresenter> {
    this.#presenter ??= import('./task-presenter.ts').then(({ TaskPresenter }) => new TaskPresenter(this.#options));
    return this.#presenter;
  }
}

/**
 * Drops an empty body if other fields change: it comes from a tag that needs a closing one. Code passes the body it
 * means.
 */
function keepBody({ body, ...fields }: ArgsOf<'edit'>, { fromCode }: Pick<ToolContext, 'fromCode'>): ArgsOf<'edit'> {
  const { id: _, version: __, ...changed } = fields;
  const isChanged = Object.values(changed).some((value) => value !== undefined);
  if (body === undefined || (body.trim() === '' && isChanged && !fromCode)) return fields;
  return { ...fields, body };
}
