import { formatPriority } from '../task-priority.ts';
import type { Status, Task, TaskMention } from '../task.ts';

/** A status in lists. */
export const LABELS: Readonly<Record<Status, string>> = {
  in_progress: 'PROG',
  blocked: 'BLKD',
  open: 'OPEN',
  done: 'DONE',
  cancelled: 'CNCL',
};

/** Longest title, and longest list of tags, in characters. */
const LONGEST_CELL = 50;

/** A task on one line: `7 | OPEN | 1.1.0 | Fix login | auth`. @param longest characters of its title, and of its tags */
export function taskRow({ id, status, priority, title, tags }: Task, longest = LONGEST_CELL): string {
  const cells = [String(id), LABELS[status], formatPriority(priority), clip(title, longest)];
  const list = clip(tags.join(', '), longest);
  return [...cells, ...(list === '' ? [] : [list])].join(' | ');
}

/** Tasks in a sentence: `1 (OPEN), 4 (PROG)`. */
export function mentionList(tasks: readonly TaskMention[]): string {
  return tasks.map(({ id, status }) => `${id} (${LABELS[status]})`).join(', ');
}

/** The beginning of a text, of at most so many characters. */
export function clip(text: string, longest: number): string {
  const points = Array.from(text);
  return points.length <= longest ? text : `${points.slice(0, longest - 1).join('')}…`;
}
