import { STALE_DAYS, type TaskCounts } from '../storage/count-tasks.ts';

/** The state of the space, in a line or two. */
export function renderCounts({ open, in_progress, blocked, stale, waiting }: TaskCounts): string {
  const noun = stale === 1 ? 'task' : 'tasks';
  return [
    `open: ${open}  in_progress: ${in_progress}  blocked: ${blocked}`,
    ...(stale === 0 ? [] : [`Stale: ${stale} ${noun} with no activity for ${STALE_DAYS}+ days`]),
    ...(waiting.length === 0 ? [] : [`Waiting for the user to confirm: ${waiting.join(', ')}`]),
  ].join('\n');
}

/** The counts for the list of spaces at home; nothing as long as there are no tasks at all. */
export function statusCounts({ open, in_progress, blocked, waiting }: TaskCounts): Readonly<Record<string, number>> {
  if (open + in_progress + blocked === 0) return {};
  return { open, in_progress, blocked, ...(waiting.length > 0 && { waiting: waiting.length }) };
}
