import type { TaskOutcome } from './task-edit.ts';
import type { TaskPage } from './storage/task-page.ts';
import type { HistoryPage } from './task-store.ts';
import type { TaskDetail } from './task.ts';

/** What a tool answers, before it is put into words. */
export type TaskAnswer =
  | {
      readonly kind: 'list';
      readonly page: TaskPage;
      /** The filters as they were written; empty for all active tasks. */
      readonly filters: string;
    }
  | { readonly kind: 'titles'; readonly page: TaskPage; readonly pattern: string }
  | { readonly kind: 'matches'; readonly page: TaskPage; readonly text: string }
  | { readonly kind: 'task'; readonly task: TaskDetail }
  | { readonly kind: 'history'; readonly page: HistoryPage }
  | { readonly kind: 'created'; readonly outcome: TaskOutcome }
  | { readonly kind: 'edited'; readonly outcome: TaskOutcome };
