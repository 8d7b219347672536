import type { SearchHit, ToolContext, ToolOutput } from '@bae/core';
import type { ArgsOf, TaskTool } from './arguments/task-params.ts';
import { explainProblems } from './explain-problem.ts';
import type { TasksOptions } from './provide-tasks.ts';
import { TaskStore } from './task-store.ts';
import { storeCallOf } from './task-tools.ts';
import { tagWriter } from './words/call-writer.ts';
import { renderAnswer } from './words/render-answer.ts';
import { renderCounts, statusCounts } from './words/render-counts.ts';
import { renderPreview } from './words/render-outcome.ts';
import { renderHits } from './words/render-tasks.ts';
import { MOST_FOR_CODE, renderWhole } from './words/render-whole.ts';

/** Calls the store for the tools of the space, and renders what it returns for the model. */
export class TaskPresenter {
  readonly #options: TasksOptions;
  readonly #tasks: TaskStore;

  constructor(options: TasksOptions) {
    this.#options = options;
    this.#tasks = new TaskStore(options);
  }

  /**
   * The output of a tool. Of a list, code gets all rows from where the page begins.
   *
   * @throws the errors of bae that a rule of tasks becomes
   */
  call<T extends TaskTool>(name: T, args: ArgsOf<T>, { tag }: Pick<ToolContext, 'tag'>): ToolOutput {
    const write = tagWriter(tag);
    const call = storeCallOf(name, args);
    const answer = explainProblems({ name, write }, () => call(this.#tasks));
    this.#options.onAnswer?.(answer);
    const output = renderAnswer(answer, write);
    if (!('page' in answer)) return output;
    const whole = () => renderWhole(call(this.#tasks, MOST_FOR_CODE));
    return { ...output, whole: () => explainProblems({ name, write }, whole) };
  }

  /** What an edit would change; changes nothing. */
  preview({ id, ...edit }: ArgsOf<'edit'>, { tag }: Pick<ToolContext, 'tag'>): string {
    const preview = () => renderPreview(this.#tasks.preview({ id, edit }));
    return explainProblems({ name: 'edit', write: tagWriter(tag) }, preview);
  }

  /** How much there is to do, in a line or two. */
  state(): string {
    return renderCounts(this.#tasks.counts());
  }

  /** The same as numbers, for the list of spaces. */
  status(): Readonly<Record<string, number>> {
    return statusCounts(this.#tasks.counts());
  }

  search(query: string, limit: number): readonly SearchHit[] {
    return renderHits(this.#tasks.search(query, { first: 1 })).slice(0, limit);
  }

  /** Closes the file. Called once or more. */
  close(): void {
    this.#tasks.close();
  }
}
