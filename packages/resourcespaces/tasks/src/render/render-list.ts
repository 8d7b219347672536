import { ResourceError, type ToolOutput } from '@bae/core';
import { countUnits, UNITS_PER_TOKEN } from '@bae/core/pipeline';
import type { TaskPage } from '../storage/read-tasks.ts';
import type { HistoryPage } from '../task-store.ts';
import type { TaskResult } from '../task-tools.ts';
import type { Task } from '../task.ts';
import { createTagWriter, toTagPattern, type CallWriter } from './call-writer.ts';
import { renderAuditEntry, renderTaskRow } from './render-task.ts';

/** The list, title search or text search that a page belongs to. */
export type ListResult = Extract<TaskResult, { readonly kind: 'list' | 'titles' | 'matches' }>;

/** The text around the rows of a page. */
interface PageFrame {
  /** The line above the count. */
  readonly title?: string;
  /** The whole text when there are no rows. */
  readonly none: string;
  /** The noun for the counted rows, in singular and plural. */
  readonly noun: readonly [string, string];
  /** Renders one row, with its position in the list. */
  readonly row: (task: Task, position: number) => string;
  /** Returns the call that shows the list from a position on. */
  readonly call: (from: number) => string;
}

/** Maximum number of rows that code gets. */
export const MOST_FOR_CODE = 50_000;
/** Number of tokens of a short row: a page at the default limit of 500 has 40 rows. */
const TOKENS_PER_ROW = 12.5;
/** Number of units for the lines around the rows. */
const AROUND = 300;

/**
 * Returns the maximum number of rows on a page.
 *
 * @param answerLimit in tokens
 */
export function countRowsOnPage(answerLimit: number): number {
  return Math.min(MOST_FOR_CODE, Math.ceil(answerLimit / TOKENS_PER_ROW));
}

/**
 * Renders as many rows of a page as the limit allows, and the call for the next ones.
 *
 * @param answerLimit in tokens
 */
export function renderTaskPage(result: ListResult, write: CallWriter, answerLimit: number): ToolOutput {
  const { page } = result;
  const { tasks, first, total, isLast } = page;
  const { title, none, noun, row, call } = frameList(result, write);
  if (total === 0) return { text: none, rows: 0 };
  const rows = takeFittingRows(
    tasks.map((task, index) => row(task, first + index)),
    answerLimit,
  );
  const last = first - 1 + rows.length;
  const isEnd = isLast && rows.length === tasks.length;
  const lines = [
    ...(title === undefined ? [] : [title]),
    `${formatTotal(page)} ${noun[total === 1 ? 0 : 1]}:`,
    ...rows,
  ];
  if (rows.length === 0) lines.push(`[there is no row ${first}; from the first: ${call(1)}]`);
  else if (first > 1 || !isEnd)
    lines.push(`[rows ${first}-${last} of ${formatTotal(page)}${isEnd ? '' : `; next: ${call(last + 1)}`}]`);
  return { text: lines.join('\n'), format: 'plain', paged: true, rows: total };
}

/** Renders changes of a task, newest first. */
export function renderHistory({ task, entries, first }: HistoryPage, write: CallWriter): ToolOutput {
  const { id, changes } = task;
  const last = first - 1 + entries.length;
  const lines = [`History of task ${id}, newest first`, ...entries.map((entry) => renderAuditEntry(entry))];
  if (entries.length === 0) lines.push(`(no change ${first}; from the newest: ${write.history(id)})`);
  else if (first > 1 || last < changes) {
    const next = last >= changes ? '' : `; next: ${write.history(id, last + 1)}`;
    lines.push(`[changes ${first}-${last} of ${changes}${next}]`);
  }
  return { text: lines.join('\n'), format: 'plain', paged: true, rows: changes };
}

/**
 * Renders a list for code: one row for each task or change and nothing else, with complete titles and values; `''` when
 * there are none, and for results that are not lists.
 *
 * @param result the list from its first row, with no more than `MOST_FOR_CODE` rows
 * @throws ResourceError when there are more rows
 */
export function renderWhole(result: TaskResult): string {
  if (!('page' in result)) return '';
  const { rows, isLast } = renderAllRows(result);
  if (isLast) return rows.join('\n');
  throw new ResourceError(
    `there are more rows than ${MOST_FOR_CODE}, which is what code gets at most. Ask for fewer, with filters or more words.`,
    [writeNarrowerCall(result)],
  );
}

function frameList(result: ListResult, write: CallWriter): PageFrame {
  if (result.kind === 'matches') {
    const hint = 'Every word has to occur, the last one may be a beginning. Fewer words find more; all titles:';
    return {
      none: `(no matches)\n${hint} ${write.titles('*')}`,
      noun: ['match', 'matches'],
      row: (task, position) => `#${position} ${renderTaskRow(task, write)}`,
      call: (from) => write.search(result.text, from),
    };
  }
  const shared = { noun: ['task', 'tasks'], row: (task: Task) => renderTaskRow(task, write) } as const;
  if (result.kind === 'list') {
    const { filters } = result;
    const title = filters === '' ? 'Active tasks' : `Tasks ${filters}`;
    return { ...shared, title, none: renderNone(result, write), call: (from) => write.list(filters, from) };
  }
  const { pattern } = result;
  const words = toTagPattern(pattern)
    .replaceAll(/[*?\s]+/gu, ' ')
    .trim();
  const none = `(no matches)\nOnly titles are looked at; in bodies, too: ${write.search(words || 'login')}`;
  return { ...shared, none, call: (from) => write.titles(pattern, from) };
}

/** Renders a list of nothing, which says what is finished: `no open tasks; 6 done: <R:status:done>`. */
function renderNone({ finished = [] }: Extract<ListResult, { readonly kind: 'list' }>, write: CallWriter): string {
  const some = finished.filter(([, { total }]) => total > 0);
  if (some.length === 0) return '(no tasks)';
  const counts = some.map(([status, page]) => `${formatTotal(page)} ${status}`).join(', ');
  return `no open tasks; ${counts}: ${write.list(`status:${some.map(([status]) => status).join(',')}`)}`;
}

function takeFittingRows(rows: readonly string[], answerLimit: number): readonly string[] {
  let room = answerLimit * UNITS_PER_TOKEN - AROUND;
  const end = rows.findIndex((row) => (room -= countUnits(row) + 1) < 0);
  return end === -1 ? rows : rows.slice(0, Math.max(1, end));
}

/** Formats a total: `40`, or `1000+` when there are more than were counted. */
function formatTotal({ total, isCounted }: TaskPage): string {
  return `${total}${isCounted ? '' : '+'}`;
}

/** Writes a tag that shows fewer rows, or, if only other words can do that, the pages of the same list. */
function writeNarrowerCall(result: Extract<TaskResult, { readonly page: unknown }>): string {
  const write = createTagWriter();
  switch (result.kind) {
    case 'history': {
      const { task, first } = result.page;
      return write.history(task.id, Math.max(first + 1, task.changes - MOST_FOR_CODE + 1));
    }
    case 'list':
      return write.list(/\bstatus:/i.test(result.filters) ? result.filters : `${result.filters} status:open`.trim());
    case 'titles':
      return write.titles(result.pattern);
    default:
      return write.search(result.text);
  }
}

function renderAllRows(result: Extract<TaskResult, { readonly page: unknown }>) {
  if (result.kind === 'history') {
    const { task, entries, first } = result.page;
    const rows = entries.map((entry) => renderAuditEntry(entry, Infinity));
    return { rows, isLast: first + entries.length > task.changes };
  }
  const { tasks, isLast } = result.page;
  return { rows: tasks.map((task) => renderTaskRow(task, undefined, Infinity)), isLast };
}
