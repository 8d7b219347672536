import { isDeepStrictEqual } from 'node:util';
import { ConflictError, type Change, type SearchHit, type ToolContext, type ToolOutput } from '@bae/core';
import type { Awaitable } from '@bae/store';
import type { ArgsOf } from './arguments/task-params.ts';
import { createTagWriter } from './render/call-writer.ts';
import { explainProblems } from './render/explain-problem.ts';
import { countRowsOnPage, MOST_FOR_CODE, renderWhole } from './render/render-list.ts';
import { renderPreview, renderTaskResult } from './render/render-result.ts';
import { renderTaskRow } from './render/render-task.ts';
import { STALE_DAYS } from './storage/read-tasks.ts';
import { openTaskStore, type TaskStore, type TaskStoreOptions } from './task-store.ts';
import { callStore, type TaskCall, type TaskResult } from './task-tools.ts';
import type { TaskOutcome } from './task.ts';

type Context = Pick<ToolContext, 'tag' | 'definition' | 'answerLimit'>;

/** Calls the store for the tools of the space, and renders the results for the model. */
export class TaskPresenter {
  readonly #tasks: TaskStore<boolean>;

  constructor(options: TaskStoreOptions) {
    this.#tasks = openTaskStore(options);
  }

  /**
   * Returns the output of a tool that reads. For a list, code gets all rows from the beginning of the page.
   *
   * @throws BaeError when the rules of tasks forbid the call
   */
  async read(
    call: Extract<TaskCall, { readonly name: 'read' | 'glob' | 'grep' }>,
    context: Context,
  ): Promise<ToolOutput> {
    const [output, result] = await present(context, () =>
      callStore(this.#tasks, call, countRowsOnPage(context.answerLimit)),
    );
    if (!('page' in result)) return output;
    const whole = () => explainFor(context, async () => renderWhole(await callStore(this.#tasks, call, MOST_FOR_CODE)));
    return { ...output, whole };
  }

  /** Plans a new task. Its place is determined before consent, and must be the same afterwards. */
  async planWrite(wish: ArgsOf<'write'>, context: Context): Promise<Change> {
    const planned = await explainFor(context, () => this.#tasks.place(wish));
    const check = ({ task: { parent, after, blockers } }: TaskOutcome) =>
      requireSame(
        { parent, after: after.map(({ id }) => id), isBlocked: blockers.length > 0 },
        { ...planned, after: [...new Set(planned.after)].toSorted((a, b) => a - b) },
      );
    return {
      touches: [],
      preview: () =>
        `Create task${wish.status === undefined ? '' : ` (${wish.status})`}: ${wish.title}\n${wish.body}`.trimEnd(),
      apply: async () => {
        const create = async () => ({ kind: 'created', outcome: await this.#tasks.create(wish, check) }) as const;
        return (await present(context, create))[0];
      },
    };
  }

  /** Plans an edit. Its effects are determined by a trial run, and must be the same after consent. */
  async planEdit({ id, ...edit }: ArgsOf<'edit'>, context: Context): Promise<Change> {
    const request = { id, edit };
    const planned = await explainFor(context, () => this.#tasks.preview(request));
    const check = ({ changes, unblocked, asked }: typeof planned) =>
      requireSame([changes, unblocked, asked], [planned.changes, planned.unblocked, planned.asked]);
    return {
      touches: [],
      preview: () => renderPreview(planned),
      apply: async () => {
        const change = async () => ({ kind: 'edited', outcome: await this.#tasks.edit(request, check) }) as const;
        return (await present(context, change))[0];
      },
    };
  }

  /** Summarizes the tasks to be done, in a line or two. */
  async renderState(): Promise<string> {
    const { open, in_progress, blocked, stale, waiting } = await this.#tasks.counts();
    const noun = stale === 1 ? 'task' : 'tasks';
    return [
      `open: ${open}  in_progress: ${in_progress}  blocked: ${blocked}`,
      ...(stale === 0 ? [] : [`Stale: ${stale} ${noun} with no activity for ${STALE_DAYS}+ days`]),
      ...(waiting.length === 0 ? [] : [`Waiting for the user to confirm: ${waiting.join(', ')}`]),
    ].join('\n');
  }

  /** Returns the counts for the list of spaces at home; empty as long as there are no active tasks. */
  async getStatus(): Promise<Readonly<Record<string, number>>> {
    const { open, in_progress, blocked, waiting } = await this.#tasks.counts();
    if (open + in_progress + blocked === 0) return {};
    return { open, in_progress, blocked, ...(waiting.length > 0 && { waiting: waiting.length }) };
  }

  async search(query: string, limit: number): Promise<readonly SearchHit[]> {
    const { tasks } = await this.#tasks.search(query, { first: 1, most: limit });
    return tasks.map((task) => ({ target: String(task.id), text: renderTaskRow(task) }));
  }

  /** Closes the file. Can be called more than once. */
  async close(): Promise<void> {
    await this.#tasks.close();
  }
}

function explainFor<T>({ tag, definition }: Context, work: () => Awaitable<T>): Promise<T> {
  return explainProblems({ definition, write: createTagWriter(tag) }, work);
}

async function present(context: Context, work: () => Promise<TaskResult>): Promise<readonly [ToolOutput, TaskResult]> {
  const result = await explainFor(context, work);
  return [renderTaskResult(result, createTagWriter(context.tag), context.answerLimit), result];
}

/** @throws ConflictError when a change would differ from its plan; the router then plans again */
function requireSame(made: unknown, planned: unknown): void {
  if (isDeepStrictEqual(made, planned)) return;
  throw new ConflictError('the tasks were changed while this change waited. Nothing was changed.');
}
