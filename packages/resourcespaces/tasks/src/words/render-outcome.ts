import { findNearestName, type ToolOutput } from '@bae/core';
import type { TaskOutcome } from '../task-edit.ts';
import { changeText } from './change-text.ts';
import { taskLines } from './render-task.ts';
import type { CallWriter } from './call-writer.ts';
import { mentionList } from './task-words.ts';

/** Tags that are listed where a new one may be a misspelt old one. */
const MOST_TAGS = 20;

/** What a new task is told by: its number, and what may not have been meant. */
export function renderCreated(outcome: TaskOutcome): ToolOutput {
  const { task } = outcome;
  const { id, title, parentTask, after, status } = task;
  const text = [
    `Created task ${id}: ${title}`,
    ...(parentTask === undefined ? [] : [`Parent: ${mentionList([parentTask])}`]),
    ...(status === 'blocked' ? [`Blocked by: ${mentionList(after)}`] : []),
    ...tagLines(outcome),
  ];
  return { text: text.join('\n'), format: 'plain', hint: `task ${id}` };
}

/** What an edit came to, and the task as it is now. */
export function renderEdited(outcome: TaskOutcome, write: CallWriter): ToolOutput {
  const { task, changes } = outcome;
  const text = [...statusLines(outcome), ...tagLines(outcome), ...taskLines(task, write)].join('\n');
  const hint = changes.length === 0 ? 'nothing changed' : changes.map(({ field }) => field).join(', ');
  return { text, format: 'plain', hint };
}

/** What an edit would change, for whoever is asked to allow it. */
export function renderPreview({ task, changes, unblocked }: TaskOutcome): string {
  const lines = changes.map((change) => changeText(change));
  const more = unblocked.length === 0 ? [] : [`Unblocked: ${unblocked.join(', ')}`];
  return [`Task ${task.id}: ${task.title}`, ...(lines.length === 0 ? ['nothing changes'] : lines), ...more].join('\n');
}

function statusLines({ task, changes, asked, unblocked }: TaskOutcome): readonly string[] {
  const { id, status, children } = task;
  const opened = unblocked.length === 0 ? '' : ` Unblocked: ${unblocked.join(', ')}`;
  if (asked === 'done')
    return [`Task ${id} is user-gated: ask the user to confirm with done ${id} (bae tasks done ${id}).`];
  if (asked === 'cancelled')
    return [`Task ${id} is user-gated: ask the user to cancel it (bae tasks edit ${id} status=cancelled).`];
  if (changes.length === 0) return ['Nothing changed.'];
  const left = children.filter((child) => child.status !== 'done' && child.status !== 'cancelled');
  const orphans = status === 'cancelled' && left.length > 0 ? ` Unfinished parts stay: ${mentionList(left)}` : '';
  if (changes.some(({ field }) => field === 'status')) return [`Task ${id} is ${status}.${opened}${orphans}`];
  return [`Changed ${changes.map(({ field }) => field).join(', ')} of task ${id}.${opened}`];
}

/** A tag nobody has used before may be one that is there already, misspelt. */
function tagLines({ newTags, knownTags }: TaskOutcome): readonly string[] {
  if (knownTags.length === 0) return [];
  const left = knownTags.length - MOST_TAGS;
  const known = `${knownTags.slice(0, MOST_TAGS).join(', ')}${left > 0 ? ', …' : ''}`;
  return newTags.map((tag) => {
    const near = findNearestName(tag, knownTags);
    return `New tag: ${tag}. Existing: ${known}.${near === undefined ? '' : ` Did you mean ${near}?`}`;
  });
}
