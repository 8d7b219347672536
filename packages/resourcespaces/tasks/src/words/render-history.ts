import type { ToolOutput } from '@bae/core';
import type { HistoryPage } from '../task-store.ts';
import { changeLine } from './change-text.ts';
import type { CallWriter } from './call-writer.ts';

/** Changes of a task, newest first. */
export function renderHistory(page: HistoryPage, write: CallWriter): ToolOutput {
  const { task, entries, first } = page;
  const { id, changes } = task;
  const last = first - 1 + entries.length;
  const place =
    first === 1 && last === changes ? '' : `\n[changes ${first}-${last} of ${changes}${nextCall(page, write)}]`;
  const lines =
    entries.length === 0
      ? `(no change ${first}; from the newest: ${write.history(id)})`
      : entries.map((entry) => changeLine(entry)).join('\n');
  const text = `History of task ${id}, newest first\n${lines}${entries.length === 0 ? '' : place}`;
  return { text, format: 'plain', paged: true, rows: changes };
}

function nextCall({ task, entries, first }: HistoryPage, write: CallWriter): string {
  const next = first + entries.length;
  return next > task.changes ? '' : `; next: ${write.history(task.id, next)}`;
}
