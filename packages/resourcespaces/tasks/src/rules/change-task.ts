import type { Database } from '@bae/store';
import { readTask } from '../storage/read-tasks.ts';
import { compareTasks, findNewTags, insertTask, saveTask } from '../storage/save-task.ts';
import type { Rows } from '../storage/task-database.ts';
import { applyTagChange, formatPriority, getLevel } from '../task-fields.ts';
import { TaskRuleError } from '../task-problem.ts';
import {
  isFinished,
  type Actor,
  type Caller,
  type FieldChange,
  type NewTask,
  type SettableStatus,
  type Task,
  type TaskDetail,
  type TaskEdit,
  type TaskOutcome,
} from '../task.ts';
import { checkCycle, checkParent, findParentTask, linkAfter, type Prioritised } from './task-links.ts';
import { findMissingSections, mergeBody, PLANNING } from './task-sections.ts';
import { checkDone, decideStatus, releaseTasks } from './task-status.ts';

/** A task by id, and what is to change in it. */
export interface EditRequest {
  readonly id: number;
  readonly edit: TaskEdit;
}

/** What the other tasks decide about a new one. */
export type TaskPlacement = Pick<Task, 'parent' | 'status'>;

/**
 * Decides where a new task belongs.
 *
 * @throws TaskRuleError for a major without its sections, a priority without a parent, and links that lead nowhere
 */
export function placeTask(rows: Rows, wish: NewTask): TaskPlacement {
  const { title, body, priority, after } = wish;
  checkSections({ id: undefined, title, body, priority });
  const parent = wish.parent ?? findParentTask(rows, { id: undefined, title, priority });
  if (parent !== undefined) checkParent(rows, parent);
  const isBlocked = after.map((id) => readTask(rows, id, 'after')).some(({ status }) => !isFinished(status));
  return { parent, status: isBlocked ? 'blocked' : 'open' };
}

/** Makes a task. @throws TaskRuleError as `placeTask` does, and for links in a circle */
export function createTask(database: Database, wish: NewTask, actor: Actor): TaskOutcome {
  const { title, after, creator = actor.who } = wish;
  const tags = applyTagChange([], wish.tags);
  const task = { ...wish, ...placeTask(database, wish), creator, tags, pending: undefined };
  const news = findNewTags(database, tags);
  const changes: readonly FieldChange[] = [{ field: 'created', old: undefined, new: title }];
  const id = insertTask(database, { task, changes }, actor);
  linkAfter(database, id, { add: after, remove: [] });
  return { task: readTask(database, id, 'id'), changes, unblocked: [], asked: undefined, ...news };
}

/**
 * Changes a task: every field of the edit, or nothing. When an agent wants to finish a gated task, that is kept
 * for the user to confirm.
 *
 * @throws TaskRuleError for everything that the rules forbid
 */
export function editTask(database: Database, { id, edit }: EditRequest, actor: Actor): TaskOutcome {
  const old = readTask(database, id, 'id');
  checkEditAllowed(old, edit, actor.who);
  if (edit.after !== undefined) linkAfter(database, id, edit.after);
  const task = changeStatus(changeFields(database, old, edit), edit.status, actor.who);
  const news = findNewTags(database, task.tags);
  const changes = compareTasks(old, task);
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

/** @throws TaskRuleError when the edit makes a major of a task without the sections of one */
function checkSections({ body, ...task }: Prioritised & { readonly body: string }): void {
  if (getLevel(task.priority) !== 'major') return;
  const missing = findMissingSections(body, PLANNING);
  if (missing.length > 0) throw new TaskRuleError({ kind: 'sections', ...task, body, missing });
}

function checkEditAllowed(task: TaskDetail, edit: TaskEdit, who: Caller): void {
  const { version } = edit;
  if (version !== undefined && version !== task.version) throw new TaskRuleError({ kind: 'conflict', task, version });
  const first = Object.entries(edit).find(([, value]) => value !== undefined);
  const [field, sent] = edit.status === undefined ? (first ?? ['id', task.id]) : ['status', edit.status];
  if (isFinished(task.status)) throw new TaskRuleError({ kind: 'final', field, sent, task });
  if (task.gated && edit.gated === false && who === 'agent') throw new TaskRuleError({ kind: 'gate', task });
}

/** Everything but the status, which depends on the rest. */
function changeFields(database: Database, old: TaskDetail, edit: TaskEdit): TaskDetail {
  const { title = old.title, priority = old.priority, gated = old.gated, metadata = old.metadata } = edit;
  const body = edit.body === undefined ? old.body : mergeBody(old.body, edit.body);
  const tags = edit.tags === undefined ? old.tags : applyTagChange(old.tags, edit.tags);
  if (getLevel(old.priority) !== 'major') checkSections({ id: old.id, title, body, priority });
  const parent = decideParent(database, old, edit);
  if (parent !== undefined && parent !== old.parent) {
    checkParent(database, parent);
    checkCycle(database, { task: parent, waitsFor: old.id, field: 'parent' });
  }
  return { ...readTask(database, old.id, 'id'), title, body, priority, gated, metadata, tags, parent };
}

/** A new number brings a new parent, unless the edit names one. A task without number can be a part of any. */
function decideParent(database: Database, old: TaskDetail, edit: TaskEdit): number | undefined {
  const { id, title, parent } = old;
  if (edit.parent !== undefined) return edit.parent === 'none' ? undefined : edit.parent;
  const { priority } = edit;
  if (priority === undefined || ['unclassified', 'plain'].includes(getLevel(priority))) return parent;
  if (formatPriority(priority) === formatPriority(old.priority)) return parent;
  return findParentTask(database, { id, title, priority });
}

function changeStatus(task: TaskDetail, wanted: SettableStatus | undefined, who: Caller): TaskDetail {
  const waitsFor = task.after.filter(({ status }) => !isFinished(status));
  const status = decideStatus(task, wanted, waitsFor);
  if (status === 'done') checkDone(task, task.children);
  if (isFinished(status) && task.gated && who === 'agent')
    return { ...task, status: decideStatus(task, undefined, waitsFor), pending: status };
  const isDecided = wanted !== undefined || !task.gated;
  return { ...task, status, pending: isDecided ? undefined : task.pending };
}
