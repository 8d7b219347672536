import type { SearchHit, ToolOutput } from '@bae/core';
import type { TaskAnswer } from '../task-answer.ts';
import type { TaskPage } from '../storage/task-page.ts';
import { renderPage } from './render-page.ts';
import { writablePattern, type CallWriter } from './call-writer.ts';
import { taskRow } from './task-words.ts';

type AnswerOf<K> = Extract<TaskAnswer, { readonly kind: K }>;

const TASKS = { one: 'task', many: 'tasks' };
const MATCHES = { one: 'match', many: 'matches' };

/** A list of tasks. */
export function renderList({ page, filters }: AnswerOf<'list'>, write: CallWriter): ToolOutput {
  return renderPage(page, {
    title: filters === '' ? 'Active tasks' : `Tasks ${filters}`,
    none: '(no tasks)',
    noun: TASKS,
    row: (task) => taskRow(task),
    call: (from) => write.list(filters, from),
  });
}

/** Tasks that a search found, numbered; or with a fitting title. */
export function renderMatches(answer: AnswerOf<'matches' | 'titles'>, write: CallWriter): ToolOutput {
  return answer.kind === 'matches' ? renderFound(answer, write) : renderTitles(answer, write);
}

/** Tasks for a search over many spaces. */
export function renderHits({ tasks }: TaskPage): readonly SearchHit[] {
  return tasks.map((task) => ({ target: String(task.id), text: taskRow(task) }));
}

function renderFound({ page, text }: AnswerOf<'matches'>, write: CallWriter): ToolOutput {
  const hint = 'Every word has to occur, the last one may be a beginning. Fewer words find more; all titles:';
  return renderPage(page, {
    none: `(no matches)\n${hint} ${write.titles('*')}`,
    noun: MATCHES,
    row: (task, place) => `#${place} ${taskRow(task)}`,
    call: (from) => write.search(text, from),
  });
}

function renderTitles({ page, pattern }: AnswerOf<'titles'>, write: CallWriter): ToolOutput {
  const words = writablePattern(pattern)
    .replaceAll(/[*?\s]+/gu, ' ')
    .trim();
  return renderPage(page, {
    none: `(no matches)\nOnly titles are looked at; in bodies, too: ${write.search(words === '' ? 'login' : words)}`,
    noun: TASKS,
    row: (task) => taskRow(task),
    call: (from) => write.titles(pattern, from),
  });
}
