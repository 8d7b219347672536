import type { Database } from '@bae/store';
import { checkCycle } from './check-cycle.ts';
import { checkSections } from './check-sections.ts';
import { findParent } from './find-parent.ts';
import { checkDone, releaseTasks } from './finish-task.ts';
import { readTask } from '../storage/read-tasks.ts';
import { tagNews } from '../storage/save-tags.ts';
import { changesBetween, saveTask, type LinkedTask } from '../storage/save-task.ts';
import type { Actor, TaskEdit, TaskOutcome } from '../task-edit.ts';
import { checkParent, linkAfter } from './task-links.ts';
import { formatPriority, levelOf } from '../task-priority.ts';
import { TaskRuleError } from '../task-problem.ts';
import { mergeBody } from './task-sections.ts';
import { changedTags } from '../task-tags.ts';
import { statusAfter } from './task-transitions.ts';
import { isFinished, type Caller, type SettableStatus, type TaskDetail } from '../task.ts';

/** A task by id, and what is to change in it. */
export interface EditRequest {
  readonly id: number;
  readonly edit: TaskEdit;
}

/**
 * Changes a task: everything that was asked for, or nothing. The wish of an agent to finish a gated task is kept
 * for the user instead.
 *
 * @throws TaskRuleError for everything that the rules forbid
 */
export function editTask(database: Database, { id, edit }: EditRequest, actor: Actor): TaskOutcome {
  const old = readTask(database, id, 'id');
  checkEdit(old, edit, actor.who);
  if (edit.after !== undefined) linkAfter(database, id, edit.after);
  const drafted = withFields(database, old, edit);
  const task = withStatus(database, drafted, { wanted: edit.status, who: actor.who });
  const news = tagNews(database, task.tags);
  const changes = changesBetween(linked(old), task);
  saveTask(database, { task, changes }, actor);
  const released = isFinished(task.status) ? releaseTasks(database, id, actor) : [];
  const isReleased = old.status === 'blocked' && task.status === 'open';
  return {
    task: readTask(database, id, 'id'),
    changes,
    unblocked: isReleased ? [id] : released,
    asked: edit.status === task.pending ? task.pending : undefined,
    ...news,
  };
}

function checkEdit(task: TaskDetail, edit: TaskEdit, who: Caller): void {
  const { version } = edit;
  if (version !== undefined && version !== task.version) throw new TaskRuleError({ kind: 'conflict', task, version });
  const first = Object.entries(edit).find(([, value]) => value !== undefined);
  const [field, sent] = edit.status === undefined ? (first ?? ['id', task.id]) : ['status', edit.status];
  if (isFinished(task.status)) throw new TaskRuleError({ kind: 'final', field, sent, task });
  if (task.gated && edit.gated === false && who === 'agent') throw new TaskRuleError({ kind: 'gate', task });
}

/** Everything but the status, which depends on the rest. */
function withFields(database: Database, old: TaskDetail, edit: TaskEdit): LinkedTask {
  const { title = old.title, priority = old.priority, gated = old.gated, metadata = old.metadata } = edit;
  const body = edit.body === undefined ? old.body : mergeBody(old.body, edit.body);
  const tags = edit.tags === undefined ? old.tags : changedTags(old.tags, edit.tags);
  const wasMajor = levelOf(old.priority) === 'major';
  if (!wasMajor) checkSections({ id: old.id, title, body, priority });
  const parent = parentAfter(database, old, edit);
  if (parent !== undefined && parent !== old.parent) {
    checkParent(database, parent);
    checkCycle(database, { task: parent, waitsFor: old.id, field: 'parent' });
  }
  return { ...linked(readTask(database, old.id, 'id')), title, body, priority, gated, metadata, tags, parent };
}

/** A new number brings a new parent, unless the edit names one. A task without number can be a part of any. */
function parentAfter(database: Database, old: TaskDetail, edit: TaskEdit): number | undefined {
  const { id, title, parent } = old;
  if (edit.parent !== undefined) return edit.parent === 'none' ? undefined : edit.parent;
  const { priority } = edit;
  if (priority === undefined || levelOf(priority) === 'unclassified') return parent;
  if (formatPriority(priority) === formatPriority(old.priority)) return parent;
  return findParent(database, { id, title, priority });
}

function withStatus(
  database: Database,
  task: LinkedTask,
  { wanted, who }: { readonly wanted: SettableStatus | undefined; readonly who: Caller },
): LinkedTask {
  const { after, children } = readTask(database, task.id, 'id');
  const waitsFor = after.filter(({ status }) => !isFinished(status));
  const status = statusAfter(task, wanted, waitsFor);
  if (status === 'done') checkDone(task, children);
  if (isFinished(status) && task.gated && who === 'agent')
    return { ...task, status: statusAfter(task, undefined, waitsFor), pending: status };
  const isDecided = wanted !== undefined || !task.gated;
  return { ...task, status, pending: isDecided ? undefined : task.pending };
}

function linked(task: TaskDetail): LinkedTask {
  return { ...task, afterIds: task.after.map(({ id }) => id) };
}
