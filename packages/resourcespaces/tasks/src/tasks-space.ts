import { inject, resourcespace, tool, type Resourcespace, type SearchHit, type ToolContext } from '@bae/core';
import { TASK_TOOLS, type ArgsOf } from './arguments/task-params.ts';
import { TASKS, type TasksOptions } from './provide-tasks.ts';
import type { TaskPresenter } from './task-presenter.ts';

/** Tasks that an agent and a person share: what the model sees of them. The presenter does the rest. */
@resourcespace({ name: 'tasks', description: 'Work items that you and the user share; they outlive the session.' })
export class TasksSpace implements Resourcespace {
  readonly #options: TasksOptions;
  #presenter: Promise<TaskPresenter> | undefined;

  constructor(@inject(TASKS) options: TasksOptions) {
    this.#options = options;
  }

  async enter(): Promise<string> {
    return (await this.#loaded()).state();
  }

  async status(): Promise<Readonly<Record<string, number>>> {
    return (await this.#loaded()).status();
  }

  async search(query: string, limit: number): Promise<readonly SearchHit[]> {
    return (await this.#loaded()).search(query, limit);
  }

  @tool(TASK_TOOLS.read)
  async read(args: ArgsOf<'read'>, context: ToolContext) {
    return (await this.#loaded()).call('read', args, context);
  }

  @tool({
    ...TASK_TOOLS.write,
    body: 'body',
    target: () => 'new',
    preview: ({ title, body }) => `Create task: ${title}\n${body}`.trimEnd(),
  })
  async write(args: ArgsOf<'write'>, context: ToolContext) {
    return (await this.#loaded()).call('write', args, context);
  }

  @tool({
    ...TASK_TOOLS.edit,
    body: 'body',
    target: ({ id }) => String(id),
    preview(this: TasksSpace, args, context) {
      return this.previewEdit(args, context);
    },
  })
  async edit(args: ArgsOf<'edit'>, context: ToolContext) {
    return (await this.#loaded()).call('edit', args, context);
  }

  @tool(TASK_TOOLS.glob)
  async glob(args: ArgsOf<'glob'>, context: ToolContext) {
    return (await this.#loaded()).call('glob', args, context);
  }

  @tool(TASK_TOOLS.grep)
  async grep(args: ArgsOf<'grep'>, context: ToolContext) {
    return (await this.#loaded()).call('grep', args, context);
  }

  async dispose(): Promise<void> {
    (await this.#presenter)?.close();
  }

  private async previewEdit(args: ArgsOf<'edit'>, context: ToolContext): Promise<string> {
    return (await this.#loaded()).preview(args, context);
  }

  /** Database, rules and texts are loaded with the first call: most sessions never make one. */
  #loaded(): Promise<TaskPresenter> {
    this.#presenter ??= import('./task-presenter.ts').then(({ TaskPresenter }) => new TaskPresenter(this.#options));
    return this.#presenter;
  }
}
