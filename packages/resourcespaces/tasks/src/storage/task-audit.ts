import type { Database, Row } from '@bae/store';
import type { Actor } from '../task-edit.ts';
import type { AuditEntry, Caller, FieldChange } from '../task.ts';
import type { Rows } from './task-database.ts';

/** Which changes: so many, from a place on. */
export interface AuditRequest {
  /** Place of the first, from 1 for the newest. */
  readonly first: number;
  readonly most: number;
}

const WRITE = 'INSERT INTO task_audit (task, time, who, field, old, new) VALUES (?, ?, ?, ?, ?, ?)';
const READ = 'SELECT * FROM task_audit WHERE task = ? ORDER BY id DESC LIMIT ? OFFSET ?';
const COUNT = 'SELECT count(*) AS count FROM task_audit WHERE task = ?';

/** Writes down what changed in a task, when, and by whom. */
export function writeAudit(
  database: Database,
  { id, changes }: { readonly id: number; readonly changes: readonly FieldChange[] },
  { who, now }: Actor,
): void {
  const time = now.getTime();
  for (const { field, old = null, new: value = null } of changes) database.run(WRITE, id, time, who, field, old, value);
}

/** Changes of a task, newest first. */
export function readAudit(rows: Rows, id: number, { first, most }: AuditRequest): readonly AuditEntry[] {
  return rows.all(READ, id, most, first - 1).map(entryOf);
}

/** How many changes of a task there were. */
export function countAudit(rows: Rows, id: number): number {
  return Number(rows.get(COUNT, id)?.['count'] ?? 0);
}

function entryOf(row: Row): AuditEntry {
  return {
    time: new Date(Number(row['time'])),
    who: row['who'] as Caller,
    field: String(row['field']),
    old: (row['old'] ?? undefined) as string | undefined,
    new: (row['new'] ?? undefined) as string | undefined,
  };
}
