import type { Value } from '@bae/store';
import { formatPriority } from '../task-fields.ts';
import type { Actor, FieldChange, Status, Task, TaskDetail, TaskOutcome } from '../task.ts';
import { formatPlace, all, get, type Work } from './task-place.ts';

/** A task without the fields that the database adds. */
type NewRow = Omit<Task, 'id' | 'created' | 'updated' | 'version' | 'blockers' | 'parts'>;

/** A task to save, and its changes. */
interface TaskSave<T> {
  readonly task: T;
  readonly changes: readonly FieldChange[];
}

const COLUMNS =
  'title, folded, body, status, major, minor, patch, place, parent, gated, pending, metadata, updated'.split(', ');
const INSERT = `
  INSERT INTO task (${COLUMNS.join(', ')}, creator, created, version)
  VALUES (${COLUMNS.map(() => '?').join(', ')}, ?, ?, 1) RETURNING id`;
const UPDATE = `UPDATE task SET ${COLUMNS.map((column) => `${column} = ?`).join(', ')}, version = version + 1 WHERE id = ?`;
const INSERT_TAG = 'INSERT INTO task_tag (tag, place, task) VALUES (?, ?, ?)';
const INSERT_CHANGE = 'INSERT INTO task_audit (task, time, who, field, old, new) VALUES (?, ?, ?, ?, ?, ?)';
const PARENT = 'SELECT parent FROM task WHERE id = ?';
const PLACED = `
  SELECT status, major, minor, patch, place, parent,
    (SELECT min(part.place) FROM task AS part WHERE part.parent = task.id) AS first_part
  FROM task WHERE id = ?`;
const MOVE = 'UPDATE task SET place = ? WHERE id = ?';
const IS_KNOWN = 'SELECT 1 FROM task_tag WHERE tag = ? LIMIT 1';
const KNOWN_TAGS = 'SELECT tag FROM task_tag GROUP BY tag ORDER BY count(*) DESC, tag LIMIT 50';

/** Saves a new task with its tags, and returns its id. */
export function* insertTask({ task, changes }: TaskSave<NewRow>, actor: Actor): Work<number> {
  const { now } = actor;
  const row = yield* get(INSERT, ...toColumns(task, now), task.creator, now.getTime());
  const id = Number(row?.['id']);
  yield* saveTags({ ...task, id });
  yield* settlePlace(task.parent);
  yield* saveAudit({ task: { id }, changes }, actor);
  return id;
}

/** Saves a task and all its changes; does nothing when there are none. */
export function* saveTask({ task, changes }: TaskSave<Task>, actor: Actor): Work<void> {
  if (changes.length === 0) return;
  const before = (yield* get(PARENT, task.id))?.['parent'];
  yield* all(UPDATE, ...toColumns(task, actor.now), task.id);
  if (changes.some(({ field }) => field === 'tags')) {
    yield* all('DELETE FROM task_tag WHERE task = ?', task.id);
    yield* saveTags(task);
  }
  yield* settlePlace(task.id);
  yield* settlePlace(task.parent);
  if (before !== (task.parent ?? null)) yield* settlePlace(Number(before));
  yield* saveAudit({ task, changes }, actor);
}

/** Returns the fields that differ between two states of a task. */
export function compareTasks(before: TaskDetail, after: TaskDetail): readonly FieldChange[] {
  const [old, wanted] = [formatFields(before), formatFields(after)];
  return Object.keys(old)
    .map((field): FieldChange => ({ field, old: old[field], new: wanted[field] }))
    .filter((change) => change.old !== change.new);
}

/** Finds the tags that would be new, and lists the known ones, the most used first. */
export function* findNewTags(tags: readonly string[]): Work<Pick<TaskOutcome, 'newTags' | 'knownTags'>> {
  const newTags: string[] = [];
  for (const tag of tags) if ((yield* get(IS_KNOWN, tag)) === undefined) newTags.push(tag);
  return { newTags, knownTags: newTags.length === 0 ? [] : (yield* all(KNOWN_TAGS)).map((row) => String(row['tag'])) };
}

/** Moves a task in lists if its parts changed, and then the tasks that it is a part of. */
function* settlePlace(id: number | undefined): Work<void> {
  const row = id === undefined ? undefined : yield* get(PLACED, id);
  if (row === undefined) return;
  const priority = { major: Number(row['major']), minor: Number(row['minor']), patch: Number(row['patch']) };
  const firstPart = row['first_part'] === null ? undefined : String(row['first_part']);
  const place = formatPlace(row['status'] as Status, priority, firstPart);
  if (place === row['place']) return;
  yield* all(MOVE, place, id!);
  if (row['parent'] !== null) yield* settlePlace(Number(row['parent']));
}

function* saveTags({ id, tags, status, priority }: NewRow & Pick<Task, 'id'>): Work<void> {
  const place = formatPlace(status, priority);
  for (const tag of tags) yield* all(INSERT_TAG, tag, place, id);
}

function* saveAudit({ task, changes }: TaskSave<Pick<Task, 'id'>>, { who, now }: Actor): Work<void> {
  for (const { field, old = null, new: value = null } of changes)
    yield* all(INSERT_CHANGE, task.id, now.getTime(), who, field, old, value);
}

/** Returns the values in the order of the columns. */
function toColumns(task: NewRow, now: Date): readonly Value[] {
  const { title, body, status, priority, parent = null, gated, pending = null, metadata } = task;
  const { major, minor, patch } = priority;
  const text = [title, title.toLowerCase(), body, status, major, minor, patch, formatPlace(status, priority)];
  return [...text, parent, gated ? 1 : 0, pending, JSON.stringify(metadata), now.getTime()];
}

function formatFields(task: TaskDetail): Readonly<Record<string, string | undefined>> {
  const { title, body, status, priority, tags, parent, after, gated, pending, metadata } = task;
  return {
    title,
    body,
    status,
    priority: formatPriority(priority),
    tags: tags.join(', ') || undefined,
    parent: parent?.toString(),
    after: after.map(({ id }) => id).join(', ') || undefined,
    gated: String(gated),
    pending,
    metadata: JSON.stringify(metadata),
  };
}
