import type { SearchHit, ToolOutput } from '@bae/core';
import type { TasksOptions } from './provide-tasks.ts';
import type { EditRequest } from './rules/edit-task.ts';
import type { TaskAnswer } from './task-answer.ts';
import { TaskStore } from './task-store.ts';
import { telling, type Telling } from './tell-problem.ts';
import { renderAnswer } from './words/render-answer.ts';
import { renderCounts, statusCounts } from './words/render-counts.ts';
import { renderPreview } from './words/render-outcome.ts';
import { renderHits } from './words/render-tasks.ts';
import { MOST_FOR_CODE, renderWhole } from './words/render-whole.ts';
import { tagWriter } from './words/tag-writer.ts';

/** Asks the store; for a list, for so many rows at most, or else for those of a page. */
type Ask = (tasks: TaskStore, most?: number) => TaskAnswer;

/** Answers calls: asks the store, and puts what it says into words. */
export class TaskClerk {
  readonly #options: TasksOptions;
  readonly #tasks: TaskStore;

  constructor(options: TasksOptions) {
    this.#options = options;
    this.#tasks = new TaskStore(options);
  }

  /**
   * The answer to a call, or the error of bae that a rule of tasks has become. Of a list, code gets all rows from where
   * the page begins.
   */
  answer(call: Telling, ask: Ask): ToolOutput {
    const answer = telling(call, () => ask(this.#tasks));
    this.#options.onAnswer?.(answer);
    const output = renderAnswer(answer, tagWriter(call.tag));
    if (!('page' in answer)) return output;
    return { ...output, whole: () => telling(call, () => renderWhole(ask(this.#tasks, MOST_FOR_CODE))) };
  }

  /** What an edit would change; changes nothing. */
  preview(call: Telling, request: EditRequest): string {
    return telling(call, () => renderPreview(this.#tasks.preview(request)));
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

  /** Lets go of the file. Called once or more. */
  close(): void {
    this.#tasks.close();
  }
}
