import { readTask, readIds } from '../storage/read-tasks.ts';
import { compareTasks, findNewTags, insertTask, saveTask } from '../storage/save-task.ts';
import type { Work } from '../storage/task-place.ts';
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
  type TaskRef,
  type Status,
  type TaskMention,
} from '../task.ts';
import {
  checkCycle,
  checkParent,
  findParentTask,
  findNamedTask,
  findNamedTasks,
  linkAfter,
  type Prioritised,
} from './task-links.ts';
import { COMPLETION, findMissingSections, mergeBody, PLANNING } from './task-sections.ts';

/** A task by id, and the changes to make. */
export interface EditRequest {
  readonly id: number;
  readonly edit: TaskEdit;
}

/** What other tasks determine of a new one. */
export interface TaskPlacement extends Pick<Task, 'parent'> {
  /** Ids of the tasks that it comes after. */
  readonly after: readonly number[];
  /** True when one of these is unfinished. */
  readonly isBlocked: boolean;
}

/**
 * Determines the place of a new task.
 *
 * @throws TaskRuleError for a major without its sections, a priority without a parent, and links to missing tasks or a
 *   finished parent
 */
export function* placeTask(wish: NewTask): Work<TaskPlacement> {
  const { title, body, priority, status } = wish;
  const task = { id: undefined, title, priority };
  checkSections({ ...task, body, status });
  const parent = wish.parent === undefined ? yield* findParentTask(task) : yield* decideNamedParent(wish.parent);
  if (parent !== undefined) yield* checkParent(parent);
  const after = yield* findNamedTasks(wish.after);
  const waitsFor: TaskDetail[] = [];
  for (const id of after) {
    const other = yield* readTask(id, 'after');
    if (!isFinished(other.status)) waitsFor.push(other);
  }
  decideStatus({ ...task, status: 'open' }, status, waitsFor);
  return { parent, after, isBlocked: waitsFor.length > 0 };
}

/**
 * Creates a task, and then gives it the status that it is wanted to have.
 *
 * @throws TaskRuleError like `placeTask`, and for circular links
 */
export function* createTask(wish: NewTask, actor: Actor): Work<TaskOutcome> {
  const { title, creator = actor.who } = wish;
  const tags = applyTagChange([], wish.tags);
  const { parent, after, isBlocked } = yield* placeTask(wish);
  const status = isBlocked ? 'blocked' : 'open';
  const task = { ...wish, parent, status, creator, tags, pending: undefined } as const;
  const news = yield* findNewTags(tags);
  const changes: readonly FieldChange[] = [{ field: 'created', old: undefined, new: title }];
  const id = yield* insertTask({ task, changes }, actor);
  yield* linkAfter(id, { add: after, remove: [] });
  const begun = wish.status && (yield* editTask({ id, edit: { status: wish.status } }, actor));
  return { task: begun?.task ?? (yield* readTask(id, 'id')), changes, unblocked: [], asked: begun?.asked, ...news };
}

/**
 * Changes a task: every field of the edit, or nothing. When an agent wants to finish a gated task, the request is
 * stored for the user to confirm.
 *
 * @throws TaskRuleError when the rules forbid the edit
 */
export function* editTask({ id, edit }: EditRequest, actor: Actor): Work<TaskOutcome> {
  const old = yield* readTask(id, 'id');
  checkEditAllowed(old, edit, actor.who);
  if (edit.after !== undefined) yield* linkAfter(id, edit.after);
  const task = changeStatus(yield* changeFields(old, edit), edit.status, actor.who);
  const news = yield* findNewTags(task.tags);
  const changes = compareTasks(old, task);
  yield* saveTask({ task, changes }, actor);
  const released = isFinished(task.status) ? yield* releaseTasks(id, actor) : [];
  const isReleased = old.status === 'blocked' && task.status === 'open';
  return {
    task: yield* readTask(id, 'id'),
    changes,
    unblocked: isReleased ? [id] : released,
    asked: edit.status === task.pending ? task.pending : undefined,
    ...news,
  };
}

/** @throws TaskRuleError when the edit turns a task without the required sections into a major */
function checkSections(task: Prioritised & Pick<NewTask, 'body' | 'status'>): void {
  const { priority, body, status } = task;
  if (getLevel(priority) !== 'major') return;
  const needed = status === 'done' ? [...PLANNING, ...COMPLETION] : PLANNING;
  const missing = findMissingSections(body, needed);
  if (missing.length > 0) throw new TaskRuleError({ kind: 'sections', ...task, status, needed, missing });
}

function checkEditAllowed(task: TaskDetail, edit: TaskEdit, who: Caller): void {
  const { version } = edit;
  if (version !== undefined && version !== task.version) throw new TaskRuleError({ kind: 'conflict', task, version });
  const first = Object.entries(edit).find(([, value]) => value !== undefined);
  const [field, sent] = edit.status === undefined ? (first ?? ['id', task.id]) : ['status', edit.status];
  if (isFinished(task.status)) throw new TaskRuleError({ kind: 'final', field, sent, task });
  if (task.gated && edit.gated === false && who === 'agent') throw new TaskRuleError({ kind: 'gate', task });
}

/** Changes all fields except the status, which depends on the others. */
function* changeFields(old: TaskDetail, edit: TaskEdit): Work<TaskDetail> {
  const { title = old.title, priority = old.priority, gated = old.gated, metadata = old.metadata } = edit;
  const body = edit.body === undefined ? old.body : mergeBody(old.body, edit.body);
  const tags = edit.tags === undefined ? old.tags : applyTagChange(old.tags, edit.tags);
  if (getLevel(old.priority) !== 'major') checkSections({ id: old.id, title, body, priority });
  const parent = yield* decideParent(old, edit);
  if (parent !== undefined && parent !== old.parent) {
    yield* checkParent(parent);
    yield* checkCycle({ task: parent, waitsFor: old.id, field: 'parent' });
  }
  return { ...(yield* readTask(old.id, 'id')), title, body, priority, gated, metadata, tags, parent };
}

/**
 * Determines the parent: a new priority implies a new parent, unless the edit names one. A task without a priority can
 * belong to any parent.
 */
function* decideParent(old: TaskDetail, edit: TaskEdit): Work<number | undefined> {
  const { id, title, parent } = old;
  if (edit.parent !== undefined) return yield* decideNamedParent(edit.parent);
  const { priority } = edit;
  if (priority === undefined || ['unclassified', 'plain'].includes(getLevel(priority))) return parent;
  if (formatPriority(priority) === formatPriority(old.priority)) return parent;
  return yield* findParentTask({ id, title, priority });
}

/** Determines the parent that a call names; `none` is no parent. */
function* decideNamedParent(ref: TaskRef): Work<number | undefined> {
  return ref === 'none' ? undefined : yield* findNamedTask({ ref, field: 'parent' });
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

/** Query for blocked tasks that come after a given task and have no unfinished predecessor. */
const RELEASED = `
  SELECT task.id AS id FROM task_dep JOIN task ON task.id = task_dep.task
  WHERE task_dep.after = ? AND task.status = 'blocked' AND NOT EXISTS (
    SELECT 1 FROM task_dep AS other JOIN task AS blocker ON blocker.id = other.after
    WHERE other.task = task.id AND blocker.status NOT IN ('done', 'cancelled')
  ) ORDER BY id`;

/**
 * Returns the status of an active task after an edit. `blocked` is set and cleared automatically, depending on the
 * unfinished tasks that this one comes after; a blocked task can only be cancelled.
 *
 * @param wanted undefined when the edit does not mention the status
 * @param waitsFor unfinished tasks that it comes after
 * @param task its id is undefined when it is new
 * @throws TaskRuleError when the edit sets another status of a blocked task
 */
export function decideStatus(
  task: Omit<TaskMention, 'id'> & { readonly id: number | undefined },
  wanted: SettableStatus | undefined,
  waitsFor: readonly TaskMention[],
): Status {
  if (wanted === 'cancelled') return wanted;
  if (waitsFor.length === 0) return wanted ?? (task.status === 'blocked' ? 'open' : task.status);
  if (wanted !== undefined)
    throw new TaskRuleError({ kind: 'blocked', id: task.id, title: task.title, by: waitsFor, wanted });
  return 'blocked';
}

/**
 * Checks that a task can be done: a major needs its sections, and every part has to be finished.
 *
 * @throws TaskRuleError that lists everything that is missing
 */
function checkDone(task: Task, children: readonly TaskMention[]): void {
  const sections = getLevel(task.priority) === 'major' ? findMissingSections(task.body, COMPLETION) : [];
  const unfinished = children.filter(({ status }) => !isFinished(status));
  if (sections.length + unfinished.length > 0)
    throw new TaskRuleError({ kind: 'unfinished', task, sections, children: unfinished });
}

/** Opens the tasks that were waiting only for the finished task, and returns their ids. */
function* releaseTasks(finished: number, actor: Actor): Work<readonly number[]> {
  const ids = yield* readIds(RELEASED, finished);
  for (const id of ids) {
    const before = yield* readTask(id, 'id');
    const task = { ...before, status: 'open' as const };
    yield* saveTask({ task, changes: compareTasks(before, task) }, actor);
  }
  return ids;
}
