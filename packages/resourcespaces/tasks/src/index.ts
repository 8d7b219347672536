// Public API of tasks as a resourcespace.
export { TasksSpace } from './tasks-space.ts';
export { provideTasks, type TasksOptions } from './provide-tasks.ts';

// For programs that show tasks in a form of their own.
export { TaskClient } from './task-client.ts';
export type { CallWriter } from './words/call-writer.ts';
export type { TaskAnswer } from './task-answer.ts';
export type { TaskOutcome } from './task-edit.ts';
export type { TaskPage } from './storage/task-page.ts';
export type { HistoryPage } from './task-store.ts';
export type { AuditEntry, Caller, FieldChange, Status, Task, TaskDetail, TaskMention } from './task.ts';
