import type { ToolOutput } from '@bae/core';
import { changeLine, minuteOf } from './change-text.ts';
import { formatPriority, levelOf } from '../task-priority.ts';
import type { CallWriter } from './call-writer.ts';
import { clip, LABELS, mentionList } from './task-words.ts';
import type { TaskDetail, TaskMention } from '../task.ts';

/** Tasks that are mentioned in one line. */
const MOST_MENTIONED = 12;
/** Longest body that a change repeats, in characters. */
const LONGEST_REPEATED = 600;

/** Everything about a task. */
export function renderTask(task: TaskDetail, write: CallWriter): ToolOutput {
  return { text: [...aboutTask(task, write), ...bodyLines(task.body)].join('\n'), format: 'plain' };
}

/** The same for the answer to a change: a long body, which its sender knows, is not sent back whole. */
export function taskLines(task: TaskDetail, write: CallWriter): readonly string[] {
  const { body, id } = task;
  const isLong = Array.from(body).length > LONGEST_REPEATED;
  const shown = isLong ? `${clip(body, LONGEST_REPEATED)}\n[whole: ${write.show(id)}]` : body;
  return [...aboutTask(task, write), ...bodyLines(shown)];
}

function aboutTask(task: TaskDetail, write: CallWriter): readonly string[] {
  const { id, title, status, priority, gated, version, creator, created, updated, changes, history } = task;
  const level = levelOf(priority);
  const facts = [
    `status: ${LABELS[status]}`,
    `priority: ${formatPriority(priority)}${level === 'unclassified' ? '' : ` (${level})`}`,
    `gated: ${gated ? 'yes' : 'no'}`,
    `version: ${version}`,
  ];
  const more = changes > history.length ? `, latest ${history.length}; all: ${write.history(id)}` : '';
  return [
    `Task ${id}: ${title}`,
    facts.join('  '),
    ...around(task, write),
    `created: ${minuteOf(created)} by ${creator}  updated: ${minuteOf(updated)}`,
    `changes: ${changes}${more}`,
    ...history.map((entry) => `  ${changeLine(entry)}`),
  ];
}

/** What belongs to the task, line by line; only what there is. */
function around(task: TaskDetail, write: CallWriter): readonly string[] {
  const { id, tags, parentTask, children, after, before, metadata, pending } = task;
  const unfinished = after.filter(({ status }) => status !== 'done' && status !== 'cancelled');
  const finished = after.filter((other) => !unfinished.includes(other));
  return [
    ...(pending === undefined ? [] : [`waiting: the user is asked to confirm '${pending}'`]),
    ...line('tags', tags.join(', ')),
    ...line('parent', parentTask === undefined ? '' : `${mentionList([parentTask])} ${clip(parentTask.title, 50)}`),
    ...line('children', mentioned(children, write.list(`parent:${id} all:`))),
    ...line('blocked by', mentioned(unfinished, '')),
    ...line('after', mentioned(finished, '')),
    ...line('blocking', mentioned(before, '')),
    ...line('metadata', Object.keys(metadata).length === 0 ? '' : JSON.stringify(metadata)),
  ];
}

function line(name: string, text: string): readonly string[] {
  return text === '' ? [] : [`${name}: ${text}`];
}

function mentioned(tasks: readonly TaskMention[], all: string): string {
  const left = tasks.length - MOST_MENTIONED;
  const rest = left > 0 ? `, and ${left} more${all === '' ? '' : `: ${all}`}` : '';
  return `${mentionList(tasks.slice(0, MOST_MENTIONED))}${rest}`;
}

function bodyLines(body: string): readonly string[] {
  return body === '' ? [] : ['', body];
}
