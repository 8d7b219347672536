import type { ToolOutput } from '@bae/core';
import type { TaskAnswer } from '../task-answer.ts';
import { renderHistory } from './render-history.ts';
import { renderCreated, renderEdited } from './render-outcome.ts';
import { renderTask } from './render-task.ts';
import { renderList, renderMatches } from './render-tasks.ts';
import type { CallWriter } from './call-writer.ts';

type Words = {
  readonly [K in TaskAnswer['kind']]: (
    answer: Extract<TaskAnswer, { readonly kind: K }>,
    write: CallWriter,
  ) => ToolOutput;
};

const WORDS: Words = {
  list: renderList,
  titles: renderMatches,
  matches: renderMatches,
  task: ({ task }, write) => renderTask(task, write),
  history: ({ page }, write) => renderHistory(page, write),
  created: ({ outcome }) => renderCreated(outcome),
  edited: ({ outcome }, write) => renderEdited(outcome, write),
};

/** An answer as the model reads it. */
export function renderAnswer(answer: TaskAnswer, write: CallWriter): ToolOutput {
  const words = WORDS[answer.kind] as (answer: TaskAnswer, write: CallWriter) => ToolOutput;
  return words(answer, write);
}
