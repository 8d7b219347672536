import type { Database } from '@bae/store';
import { readTask } from '../storage/read-tasks.ts';
import { saveTags, tagNews } from '../storage/save-tags.ts';
import { insertTask } from '../storage/save-task.ts';
import { writeAudit } from '../storage/task-audit.ts';
import type { Actor, NewTask, TaskOutcome } from '../task-edit.ts';
import { changedTags } from '../task-tags.ts';
import { isFinished, type FieldChange } from '../task.ts';
import { checkSections } from './check-sections.ts';
import { findParent } from './find-parent.ts';
import { checkParent, linkAfter } from './task-links.ts';

/**
 * Makes a task.
 *
 * @throws TaskRuleError for a major without its sections, a priority without a parent, and links that lead nowhere
 *   or in a circle
 */
export function createTask(database: Database, wish: NewTask, actor: Actor): TaskOutcome {
  const { title, body, priority, after, creator = actor.who } = wish;
  checkSections({ id: undefined, title, body, priority });
  const parent = wish.parent ?? findParent(database, { id: undefined, title, priority });
  if (parent !== undefined) checkParent(database, parent);
  const isBlocked = after.some((id) => !isFinished(readTask(database, id, 'after').status));
  const status = isBlocked ? 'blocked' : 'open';
  const id = insertTask(database, { ...wish, parent, creator, status, pending: undefined }, actor);
  linkAfter(database, id, { add: after, remove: [] });
  const tags = changedTags([], wish.tags);
  const news = tagNews(database, tags);
  saveTags(database, { id, status, priority, tags });
  const changes: readonly FieldChange[] = [{ field: 'created', old: undefined, new: title }];
  writeAudit(database, { id, changes }, actor);
  return { task: readTask(database, id, 'id'), changes, unblocked: [], asked: undefined, ...news };
}
