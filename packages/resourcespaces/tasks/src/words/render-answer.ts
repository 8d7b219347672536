import type { ToolOutput } from '@bae/core';
import type { TaskAnswer } from '../task-answer.ts';
import { renderHistory } from './render-history.ts';
import { renderCreated, renderEdited } from './render-outcome.ts';
import { renderTask } from './render-task.ts';
import { renderList, renderMatches } from './render-tasks.ts';
import type { TagWriter } from './tag-writer.ts';

type Words = {
  readonly [K in TaskAnswer['kind']]: (answer: Extract<TaskAnswer, { readonly kind: K }>, tag: TagWriter) => ToolOutput;
};

const WORDS: Words = {
  list: renderList,
  titles: renderMatches,
  matches: renderMatches,
  task: ({ task }, tag) => renderTask(task, tag),
  history: ({ page }, tag) => renderHistory(page, tag),
  created: ({ outcome }) => renderCreated(outcome),
  edited: ({ outcome }, tag) => renderEdited(outcome, tag),
};

/** An answer as the model reads it. */
export function renderAnswer(answer: TaskAnswer, tag: TagWriter): ToolOutput {
  const words = WORDS[answer.kind] as (answer: TaskAnswer, tag: TagWriter) => ToolOutput;
  return words(answer, tag);
}
