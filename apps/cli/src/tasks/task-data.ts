import type { TaskPage } from '@bae/tasks';
import { nextOf, pageOf, type TaskReply } from './task-desk.ts';

/** A reply as data for programs. */
export function taskData(reply: TaskReply): object {
  const { answer, result } = reply;
  const page = pageOf(reply);
  if (page !== undefined) return listData(page);
  if (answer?.kind === 'task') return { task: answer.task };
  if (answer?.kind === 'created' || answer?.kind === 'edited') return answer.outcome;
  if (answer?.kind === 'history')
    return { id: answer.page.task.id, changes: answer.page.entries, total: answer.page.task.changes };
  return { error: { type: result.errorType, message: result.text } };
}

function listData(page: TaskPage): object {
  const next = nextOf(page);
  return { tasks: page.tasks, total: page.total, ...(next !== undefined && { next }) };
}
