import { ResourceError } from '@bae/core';
import type { TaskAnswer } from '../task-answer.ts';
import { tagWriter } from './call-writer.ts';
import { changeLine } from './change-text.ts';
import { taskRow } from './task-words.ts';

type ListAnswer = Extract<TaskAnswer, { readonly page: unknown }>;

/** Rows that code gets at most. */
export const MOST_FOR_CODE = 50_000;

/**
 * What code gets of a list: its tasks or changes, a row each and nothing else, with titles and values in full; `''`
 * when there are none, and of what is no list.
 *
 * @param answer the list from where it begins, with no more than `MOST_FOR_CODE` rows
 * @throws ResourceError when it goes on
 */
export function renderWhole(answer: TaskAnswer): string {
  if (!('page' in answer)) return '';
  const { rows, isLast } = rowsOf(answer);
  if (isLast) return rows.join('\n');
  throw new ResourceError(
    `there are more rows than ${MOST_FOR_CODE}, which is what code gets at most. Ask for fewer, with filters or more words.`,
    [narrower(answer)],
  );
}

/** A tag that shows fewer, or, where only other words do, the pages of the same list. */
function narrower(answer: ListAnswer): string {
  const write = tagWriter();
  switch (answer.kind) {
    case 'history': {
      const { task, first } = answer.page;
      return write.history(task.id, Math.max(first + 1, task.changes - MOST_FOR_CODE + 1));
    }
    case 'list':
      return write.list(/\bstatus:/i.test(answer.filters) ? answer.filters : `${answer.filters} status:open`.trim());
    case 'titles':
      return write.titles(answer.pattern);
    default:
      return write.search(answer.text);
  }
}

function rowsOf(answer: ListAnswer) {
  if (answer.kind === 'history') {
    const { task, entries, first } = answer.page;
    const rows = entries.map((entry) => changeLine(entry, Infinity));
    return { rows, isLast: first + entries.length > task.changes };
  }
  const { tasks, isLast } = answer.page;
  return { rows: tasks.map((task) => taskRow(task, Infinity)), isLast };
}
