import type { SearchHit, ToolOutput } from '@bae/core';
import type { TaskAnswer } from '../task-answer.ts';
import type { TaskPage } from '../storage/task-page.ts';
import { renderPage } from './render-page.ts';
import type { TagWriter } from './tag-writer.ts';
import { taskRow } from './task-words.ts';
import { oneLine, writablePattern } from './writable-words.ts';

type AnswerOf<K> = Extract<TaskAnswer, { readonly kind: K }>;

const TASKS = { one: 'task', many: 'tasks' };
const MATCHES = { one: 'match', many: 'matches' };

/** A list of tasks. */
export function renderList({ page, filters }: AnswerOf<'list'>, tag: TagWriter): ToolOutput {
  return renderPage(page, {
    title: filters === '' ? 'Active tasks' : `Tasks ${filters}`,
    none: '(no tasks)',
    noun: TASKS,
    row: (task) => taskRow(task),
    tag: (from) => tag('R', filters, fromWord(from)),
  });
}

/** Tasks that a search found, numbered; or with a fitting title. */
export function renderMatches(answer: AnswerOf<'matches' | 'titles'>, tag: TagWriter): ToolOutput {
  return answer.kind === 'matches' ? renderFound(answer, tag) : renderTitles(answer, tag);
}

/** Tasks for a search over many spaces. */
export function renderHits({ tasks }: TaskPage): readonly SearchHit[] {
  return tasks.map((task) => ({ target: String(task.id), text: taskRow(task) }));
}

function renderFound({ page, text }: AnswerOf<'matches'>, tag: TagWriter): ToolOutput {
  const words = oneLine(text);
  const hint = 'Every word has to occur, the last one may be a beginning. Fewer words find more; all titles:';
  return renderPage(page, {
    none: `(no matches)\n${hint} ${tag('G', '*')}`,
    noun: MATCHES,
    row: (task, place) => `#${place} ${taskRow(task)}`,
    tag: (from) => tag('Grep', words, fromWord(from)),
  });
}

function renderTitles({ page, pattern }: AnswerOf<'titles'>, tag: TagWriter): ToolOutput {
  const writable = writablePattern(pattern);
  const words = writable.replaceAll(/[*?\s]+/gu, ' ').trim();
  return renderPage(page, {
    none: `(no matches)\nOnly titles are looked at; in bodies, too: ${tag('Grep', words === '' ? 'login' : words)}`,
    noun: TASKS,
    row: (task) => taskRow(task),
    tag: (from) => tag('G', writable, fromWord(from)),
  });
}

function fromWord(from: number): string {
  return from === 1 ? '' : `from=${from}`;
}
