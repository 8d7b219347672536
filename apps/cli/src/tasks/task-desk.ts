import { allowAll, asModelText, createAgent, type Agent, type ToolResult } from '@bae/core';
import { provideTasks, TasksSpace, type TaskAnswer, type TaskPage } from '@bae/tasks';
import type { TaskRequest } from './task-request.ts';

/** The answer to a call: as data where it succeeded, and as text. */
export interface TaskReply {
  readonly result: ToolResult;
  readonly answer: TaskAnswer | undefined;
}

/** Rows of a list that are shown at once. */
const MOST_ROWS = 200;

/**
 * Calls tools of the tasks space as a model would, through the same router and by the same rules; but for the user,
 * whose typing is consent.
 */
export class TaskDesk {
  readonly #agent: Agent;
  #answer: TaskAnswer | undefined;

  /** @param file where the tasks are kept */
  constructor(file: string) {
    const onAnswer = (answer: TaskAnswer): void => void (this.#answer = answer);
    const provide = [provideTasks({ file, caller: 'user', onAnswer })];
    this.#agent = createAgent({ spaces: [TasksSpace], provide, approver: allowAll });
  }

  async call({ tool, args }: TaskRequest, signal: AbortSignal): Promise<TaskReply> {
    this.#answer = undefined;
    const text = JSON.stringify({ name: `tasks.${tool}`, arguments: args });
    const { calls } = await this.#agent.run(asModelText(text), { signal });
    return { result: calls[0]!.result, answer: this.#answer };
  }

  /** A list with the pages that follow, up to a bearable length. */
  async list(request: TaskRequest, signal: AbortSignal): Promise<TaskReply> {
    const reply = await this.call(request, signal);
    const from = nextOf(pageOf(reply));
    if (from === undefined) return reply;
    let whole = pageOf(reply)!;
    for (let next: number | undefined = from; next !== undefined && whole.tasks.length < MOST_ROWS;) {
      const more: TaskPage | undefined = pageOf(
        await this.call({ ...request, args: { ...request.args, from: String(next) } }, signal),
      );
      if (more === undefined) break;
      whole = { ...more, first: whole.first, tasks: [...whole.tasks, ...more.tasks] };
      next = nextOf(more);
    }
    return { ...reply, answer: { ...reply.answer, page: whole } as TaskAnswer };
  }

  close(): Promise<void> {
    return this.#agent.close();
  }
}

/** Place of the first task after a page; undefined when there is none. */
export function nextOf(page: TaskPage | undefined): number | undefined {
  return page === undefined || page.isLast ? undefined : page.first + page.tasks.length;
}

/** The page of tasks in a reply. */
export function pageOf({ answer }: TaskReply): TaskPage | undefined {
  return answer?.kind === 'list' || answer?.kind === 'matches' ? answer.page : undefined;
}
