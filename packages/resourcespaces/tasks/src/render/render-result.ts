import { findNearestName, type ToolOutput } from '@bae/core';
import type { TaskResult } from '../task-tools.ts';
import { isFinished, type FinalStatus, type TaskOutcome } from '../task.ts';
import type { CallWriter } from './call-writer.ts';
import { renderHistory, renderTaskPage } from './render-list.ts';
import { renderChange, renderMentions, renderTask, renderTaskRow } from './render-task.ts';

/** Maximum number of tags that are listed when a new one may be a misspelt existing one. */
const MOST_TAGS = 20;
/** Maximum number of letters in which a misspelt tag differs. */
const MOST_DIFFERENT = 2;

/**
 * Renders the result of a tool for the model.
 *
 * @param answerLimit in tokens
 */
export function renderTaskResult(result: TaskResult, write: CallWriter, answerLimit: number): ToolOutput {
  switch (result.kind) {
    case 'task':
      return renderTask(result.task, write);
    case 'history':
      return renderHistory(result.page, write);
    case 'created':
      return renderCreated(result.outcome);
    case 'edited':
      return renderEdited(result.outcome);
    default:
      return renderTaskPage(result, write, answerLimit);
  }
}

/** Renders the change of an edit, for the person who is asked to allow it. */
export function renderPreview({ task, changes, unblocked }: TaskOutcome): string {
  const lines = changes.map((change) => renderChange(change));
  const more = unblocked.length === 0 ? [] : [`Unblocked: ${unblocked.join(', ')}`];
  return [`Task ${task.id}: ${task.title}`, ...(lines.length === 0 ? ['nothing changes'] : lines), ...more].join('\n');
}

/** Matches a title that is the path of a file: the call may have been meant for the tool of home. */
const FILE_NAME = /^[\w@.-]+(?:\/[\w@.-]+)*\.[a-z]{1,5}$/i;

function renderCreated(outcome: TaskOutcome): ToolOutput {
  const { id, title, parentTask, after, status } = outcome.task;
  const isUsual = status === 'open' || status === 'blocked';
  const text = [
    `Created task ${id}: ${title}${isUsual ? '' : ` (${status})`}`,
    ...(outcome.asked === undefined ? [] : [renderGate(id, outcome.asked)]),
    ...(parentTask === undefined ? [] : [`Parent: ${renderMentions([parentTask])}`]),
    ...(status === 'blocked' ? [`Blocked by: ${renderMentions(after.filter((one) => !isFinished(one.status)))}`] : []),
    ...renderNewTags(outcome),
    ...(FILE_NAME.test(title) ? [`This is a task. A file is written at home: <home.W:${title}>…</home.W>`] : []),
  ];
  return { text: text.join('\n'), format: 'plain', hint: `task ${id}`, whole: () => ({ id }) };
}

/** Renders the task in one line, and what was changed; its body and history are what reading shows. */
function renderEdited(outcome: TaskOutcome): ToolOutput {
  const { task, changes } = outcome;
  const made = changes.map((change) => renderChange(change)).join('; ');
  const state = [`Task ${renderTaskRow(task)}`, made, `version: ${task.version}`].filter((part) => part !== '');
  const text = [renderOutcome(outcome), state.join('  '), ...renderNewTags(outcome)];
  const hint = changes.length === 0 ? 'nothing changed' : changes.map(({ field }) => field).join(', ');
  return { text: text.join('\n'), format: 'plain', hint };
}

function renderOutcome({ task, changes, asked, unblocked }: TaskOutcome): string {
  const { id, status, children } = task;
  if (asked !== undefined) return renderGate(id, asked);
  if (changes.length === 0) return 'Nothing changed.';
  const opened = unblocked.length === 0 ? '' : ` Unblocked: ${unblocked.join(', ')}`;
  if (!changes.some(({ field }) => field === 'status'))
    return `Changed ${changes.map(({ field }) => field).join(', ')} of task ${id}.${opened}`;
  const left = children.filter((child) => !isFinished(child.status));
  const orphans = status === 'cancelled' && left.length > 0 ? ` Unfinished parts stay: ${renderMentions(left)}` : '';
  return `Task ${id} is ${status}.${opened}${orphans}`;
}

function renderGate(id: number, asked: FinalStatus): string {
  return asked === 'done'
    ? `Task ${id} is user-gated: ask the user to confirm with done ${id} (bae tasks done ${id}).`
    : `Task ${id} is user-gated: ask the user to cancel it (bae tasks edit ${id} status=cancelled).`;
}

/** Renders new tags that may be misspelt existing ones: at most two letters differ. */
function renderNewTags({ newTags, knownTags }: TaskOutcome): readonly string[] {
  const known = `${knownTags.slice(0, MOST_TAGS).join(', ')}${knownTags.length > MOST_TAGS ? ', …' : ''}`;
  return newTags.flatMap((tag) => {
    // Short words are often similar by chance.
    const candidates = tag.length < 5 ? [] : knownTags.filter((one) => Math.abs(one.length - tag.length) <= 2);
    const near = findNearestName(tag, candidates, 1 - MOST_DIFFERENT / tag.length);
    return near === undefined ? [] : [`New tag: ${tag}. Existing: ${known}. Did you mean ${near}?`];
  });
}
