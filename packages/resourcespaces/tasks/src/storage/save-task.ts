import type { Database, Value } from '@bae/store';
import type { Actor } from '../task-edit.ts';
import { formatPriority } from '../task-priority.ts';
import type { FieldChange, Task } from '../task.ts';
import { saveTags } from './save-tags.ts';
import { writeAudit } from './task-audit.ts';
import { placeOf } from './task-place.ts';

/** A task with the ids of what it comes after. */
export interface LinkedTask extends Task {
  readonly afterIds: readonly number[];
}

/** A task that has no id yet. */
export type UnsavedTask = Omit<Task, 'id' | 'created' | 'updated' | 'version' | 'tags'>;

const COLUMNS =
  'title, folded, body, status, major, minor, patch, place, parent, gated, pending, metadata, updated'.split(', ');
const INSERT = `
  INSERT INTO task (${COLUMNS.join(', ')}, creator, created, version)
  VALUES (${COLUMNS.map(() => '?').join(', ')}, ?, ?, 1) RETURNING id`;
const UPDATE = `UPDATE task SET ${COLUMNS.map((column) => `${column} = ?`).join(', ')}, version = version + 1 WHERE id = ?`;

/** Makes a row for a task, and returns its id. Its tags and links are still to come. */
export function insertTask(database: Database, task: UnsavedTask, { now }: Actor): number {
  const row = database.get(INSERT, ...valuesOf(task, now), task.creator, now.getTime());
  return Number(row?.['id']);
}

/** What has another value in the second of two states of a task. */
export function changesBetween(before: LinkedTask, after: LinkedTask): readonly FieldChange[] {
  const [old, wanted] = [fieldTexts(before), fieldTexts(after)];
  return Object.keys(old)
    .map((field): FieldChange => ({ field, old: old[field], new: wanted[field] }))
    .filter((change) => change.old !== change.new);
}

/** Writes a task down, with every change of it; nothing when there is none. */
export function saveTask(
  database: Database,
  { task, changes }: { readonly task: Task; readonly changes: readonly FieldChange[] },
  actor: Actor,
): void {
  if (changes.length === 0) return;
  database.run(UPDATE, ...valuesOf(task, actor.now), task.id);
  if (changes.some(({ field }) => field === 'tags')) saveTags(database, task);
  writeAudit(database, { id: task.id, changes }, actor);
}

/** In the order of the columns. */
function valuesOf(task: UnsavedTask, now: Date): readonly Value[] {
  const { title, body, status, priority, parent = null, gated, pending = null, metadata } = task;
  const { major, minor, patch } = priority;
  const place = placeOf(status, priority);
  const text = [title, title.toLowerCase(), body, status, major, minor, patch, place];
  return [...text, parent, gated ? 1 : 0, pending, JSON.stringify(metadata), now.getTime()];
}

function fieldTexts(task: LinkedTask): Readonly<Record<string, string | undefined>> {
  const { title, body, status, priority, tags, parent, afterIds, gated, pending, metadata } = task;
  return {
    title,
    body,
    status,
    priority: formatPriority(priority),
    tags: listed(tags),
    parent: parent?.toString(),
    after: listed(afterIds.map(String)),
    gated: String(gated),
    pending,
    metadata: JSON.stringify(metadata),
  };
}

function listed(items: readonly string[]): string | undefined {
  return items.length === 0 ? undefined : items.join(', ');
}
