import type { ToolOutput } from '@bae/core';
import { formatPriority, getLevel } from '../task-fields.ts';
import {
  isFinished,
  type AuditEntry,
  type FieldChange,
  type Status,
  type Task,
  type TaskDetail,
  type TaskMention,
} from '../task.ts';
import type { CallWriter } from './call-writer.ts';

/** Labels of statuses in lists. */
export const LABELS: Readonly<Record<Status, string>> = {
  in_progress: 'PROG',
  blocked: 'BLKD',
  open: 'OPEN',
  done: 'DONE',
  cancelled: 'CNCL',
};

/** Maximum length of a title, and of a list of tags, in characters. */
const LONGEST_CELL = 50;
/** Maximum length of a value of a change, in characters. */
const LONGEST_VALUE = 60;
/** Maximum length of a body in an error, in characters. */
const LONGEST_REPEATED = 600;
/** Maximum number of tasks mentioned in one line. */
const MOST_MENTIONED = 12;

/** Renders all data of a task. */
export function renderTask(task: TaskDetail, write: CallWriter): ToolOutput {
  return { text: [...renderFacts(task, write), ...renderBody(task.body)].join('\n'), format: 'plain' };
}

/** Renders a task for an error: a long body is cut. */
export function renderTaskLines(task: TaskDetail, write: CallWriter): readonly string[] {
  const { body, id } = task;
  const short = shortenText(body, LONGEST_REPEATED);
  return [...renderFacts(task, write), ...renderBody(short === body ? body : `${short}\n[whole: ${write.show(id)}]`)];
}

/**
 * Renders a task on one line: `7 | BLKD | 1.1.0 | Fix login | auth | waits for 3`.
 *
 * @param write writes the call that shows all tasks that it waits for. Default: they are all named, however many
 * @param longest maximum length of its title, and of its tags, in characters
 */
export function renderTaskRow(task: Task, write?: CallWriter, longest = LONGEST_CELL): string {
  const { id, status, priority, title, tags, blockers, parts } = task;
  return [
    id,
    LABELS[status],
    formatPriority(priority),
    shortenText(title, longest),
    ...(tags.length === 0 ? [] : [shortenText(tags.join(', '), longest)]),
    ...(status === 'blocked' && blockers.length > 0 ? [`waits for ${renderFirstIds(blockers, write?.show(id))}`] : []),
    ...(parts === 0 || isFinished(status) ? [] : [`${parts} ${parts === 1 ? 'part' : 'parts'} to do`]),
  ].join(' | ');
}

/** @param all the call that shows all of them; undefined to name them here */
function renderFirstIds(ids: readonly number[], all: string | undefined): string {
  const more = ids.length - MOST_MENTIONED;
  if (all === undefined || more <= 0) return ids.join(', ');
  return `${ids.slice(0, MOST_MENTIONED).join(', ')}, +${more}: ${all}`;
}

/** Renders tasks in a sentence: `1 (OPEN), 4 (PROG)`. */
export function renderMentions(tasks: readonly TaskMention[]): string {
  return tasks.map(({ id, status }) => `${id} (${LABELS[status]})`).join(', ');
}

/**
 * Renders `2026-11-20 11:52 agent status: open -> done`.
 *
 * @param longest maximum length of a value, in characters
 */
export function renderAuditEntry(entry: AuditEntry, longest = LONGEST_VALUE): string {
  return `${formatMinute(entry.time)} ${entry.who} ${renderChange(entry, longest)}`;
}

/** Renders `status: open -> done`; the text of a body is shortened to one line. */
export function renderChange({ field, old, new: value }: FieldChange, longest = LONGEST_VALUE): string {
  return old === undefined && field === 'created'
    ? `created: ${renderValue(value, longest)}`
    : `${field}: ${renderValue(old, longest)} -> ${renderValue(value, longest)}`;
}

/** Returns the beginning of a text, up to a maximum length. */
export function shortenText(text: string, longest: number): string {
  const points = Array.from(text);
  return points.length <= longest ? text : `${points.slice(0, longest - 1).join('')}…`;
}

function renderFacts(task: TaskDetail, write: CallWriter): readonly string[] {
  const { id, title, status, priority, gated, version, creator, created, updated, changes, history } = task;
  const level = getLevel(priority);
  const facts = [
    `status: ${LABELS[status]}`,
    `priority: ${formatPriority(priority)}${level === 'unclassified' || level === 'plain' ? '' : ` (${level})`}`,
    `gated: ${gated ? 'yes' : 'no'}`,
    `version: ${version}`,
  ];
  const more = changes > history.length ? `, latest ${history.length}; all: ${write.history(id)}` : '';
  return [
    `Task ${id}: ${title}`,
    facts.join('  '),
    ...renderRelations(task, write),
    `created: ${formatMinute(created)} by ${creator}  updated: ${formatMinute(updated)}`,
    `changes: ${changes}${more}`,
    ...history.map((entry) => `  ${renderAuditEntry(entry)}`),
  ];
}

/** Renders the related data of a task, one line each; missing data is left out. */
function renderRelations(task: TaskDetail, write: CallWriter): readonly string[] {
  const { id, tags, parentTask, children, after, before, metadata, pending } = task;
  const lines = {
    waiting: pending === undefined ? '' : `the user is asked to confirm '${pending}'`,
    tags: tags.join(', '),
    parent: parentTask === undefined ? '' : `${renderMentions([parentTask])} ${shortenText(parentTask.title, 50)}`,
    children: renderFirstMentions(children, write.list(`parent:${id} all:`)),
    'blocked by': renderMentions(after.filter(({ status }) => !isFinished(status))),
    after: renderMentions(after.filter(({ status }) => isFinished(status))),
    blocking: renderMentions(before),
    metadata: Object.keys(metadata).length === 0 ? '' : JSON.stringify(metadata),
  };
  return Object.entries(lines).flatMap(([name, text]) => (text === '' ? [] : [`${name}: ${text}`]));
}

/** @param all the call that shows all of them */
function renderFirstMentions(tasks: readonly TaskMention[], all: string): string {
  const left = tasks.length - MOST_MENTIONED;
  return `${renderMentions(tasks.slice(0, MOST_MENTIONED))}${left > 0 ? `, and ${left} more: ${all}` : ''}`;
}

function renderBody(body: string): readonly string[] {
  return body === '' ? [] : ['', body];
}

function renderValue(value: string | undefined, longest: number): string {
  if (value === undefined) return '(none)';
  return value === '' ? '(empty)' : shortenText(value.replaceAll(/\s+/gu, ' '), longest);
}

/** Formats a time as `2026-11-20 11:52`, in UTC. */
function formatMinute(time: Date): string {
  return time.toISOString().slice(0, 16).replace('T', ' ');
}
