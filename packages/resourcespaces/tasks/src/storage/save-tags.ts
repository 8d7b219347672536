import type { Database } from '@bae/store';
import type { Rows } from './task-database.ts';
import { placeOf } from './task-place.ts';
import type { Task } from '../task.ts';

/** Tags that no task has had before, and those that tasks have. */
export interface TagNews {
  readonly newTags: readonly string[];
  readonly knownTags: readonly string[];
}

const IS_KNOWN = 'SELECT 1 FROM task_tag WHERE tag = ? LIMIT 1';
const KNOWN = 'SELECT tag FROM task_tag GROUP BY tag ORDER BY count(*) DESC, tag LIMIT 50';

/** Writes the tags of a task down in place of those it had. */
export function saveTags(database: Database, task: Pick<Task, 'id' | 'tags' | 'status' | 'priority'>): void {
  const { id, tags, status, priority } = task;
  database.run('DELETE FROM task_tag WHERE task = ?', id);
  const place = placeOf(status, priority);
  for (const tag of tags) database.run('INSERT INTO task_tag (tag, place, task) VALUES (?, ?, ?)', tag, place, id);
}

/** Which of some tags would be new; those that are used most come first among the known. */
export function tagNews(rows: Rows, tags: readonly string[]): TagNews {
  const newTags = tags.filter((tag) => rows.get(IS_KNOWN, tag) === undefined);
  return { newTags, knownTags: newTags.length === 0 ? [] : rows.all(KNOWN).map((row) => String(row['tag'])) };
}
