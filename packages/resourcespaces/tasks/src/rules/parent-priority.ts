import { levelOf, type Priority } from '../task-priority.ts';

/** The priority that the parent of a task has: `1.2.0` for `1.2.3`, `1.0.0` for `1.2.0`, none for a major. */
export function parentPriority(priority: Priority): Priority | undefined {
  const level = levelOf(priority);
  if (level === 'minor') return { ...priority, minor: 0 };
  return level === 'patch' ? { ...priority, patch: 0 } : undefined;
}
