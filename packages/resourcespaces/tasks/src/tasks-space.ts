import { inject, resourcespace, tool, type Resourcespace, type SearchHit, type ToolContext } from '@bae/core';
import { answerRead } from './answer-read.ts';
import { TASK_PARAMS, type ArgsOf } from './arguments/task-params.ts';
import { TASKS, type TasksOptions } from './provide-tasks.ts';
import type { TaskClerk } from './task-clerk.ts';

/** Tasks that an agent and a person share: what the model sees of them. The clerk does the rest. */
@resourcespace({ name: 'tasks', description: 'Work items that you and the user share; they outlive the session.' })
export class TasksSpace implements Resourcespace {
  readonly #options: TasksOptions;
  #clerk: Promise<TaskClerk> | undefined;

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

  @tool({
    description: 'Active tasks; one by id; or status:open tag:a,b priority:1.* parent:3 stale: all:',
    params: TASK_PARAMS.read,
  })
  async read({ target, from }: ArgsOf<'read'>, { tag }: ToolContext) {
    const clerk = await this.#loaded();
    return clerk.answer({ name: 'read', tag }, (tasks, most) => answerRead(tasks, target, { first: from, most }));
  }

  @tool({
    description: 'The id of a new task. Priority 1.2.3, smaller first.',
    params: TASK_PARAMS.write,
    body: 'body',
    target: () => 'new',
    preview: ({ title, body }) => `Create task: ${title}\n${body}`.trimEnd(),
  })
  async write(wish: ArgsOf<'write'>, { tag }: ToolContext) {
    const clerk = await this.#loaded();
    return clerk.answer({ name: 'write', tag }, (tasks) => ({ kind: 'created', outcome: tasks.create(wish) }));
  }

  @tool({
    description: 'The changed task. tags="+x,-y"; after=3 waits for 3.',
    params: TASK_PARAMS.edit,
    body: 'body',
    target: ({ id }) => String(id),
    preview(this: TasksSpace, args, context) {
      return this.previewEdit(args, context);
    },
  })
  async edit({ id, ...edit }: ArgsOf<'edit'>, { tag }: ToolContext) {
    const clerk = await this.#loaded();
    return clerk.answer({ name: 'edit', tag }, (tasks) => ({
      kind: 'edited',
      outcome: tasks.edit({ id, edit }),
    }));
  }

  @tool({ description: 'Tasks by title, with * and ?.', params: TASK_PARAMS.glob })
  async glob({ pattern, from }: ArgsOf<'glob'>, { tag }: ToolContext) {
    const clerk = await this.#loaded();
    return clerk.answer({ name: 'glob', tag }, (tasks, most) => ({
      kind: 'titles',
      page: tasks.glob(pattern, { first: from, most }),
      pattern,
    }));
  }

  @tool({ description: 'Tasks with all words, best first.', params: TASK_PARAMS.grep })
  async grep({ text, from }: ArgsOf<'grep'>, { tag }: ToolContext) {
    const clerk = await this.#loaded();
    return clerk.answer({ name: 'grep', tag }, (tasks, most) => ({
      kind: 'matches',
      page: tasks.search(text, { first: from, most }),
      text,
    }));
  }

  async dispose(): Promise<void> {
    (await this.#clerk)?.close();
  }

  private async previewEdit({ id, ...edit }: ArgsOf<'edit'>, { tag }: ToolContext): Promise<string> {
    return (await this.#loaded()).preview({ name: 'edit', tag }, { id, edit });
  }

  /** Database, rules and words are loaded with the first call: most sessions never make one. */
  #loaded(): Promise<TaskClerk> {
    this.#clerk ??= import('./task-clerk.ts').then(({ TaskClerk }) => new TaskClerk(this.#options));
    return this.#clerk;
  }
}
