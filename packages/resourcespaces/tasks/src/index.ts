// Public API of the resourcespace for tasks.
export { provideTasks, TasksSpace } from './tasks-space.ts';
export { tasksTables } from './storage/shared-tasks.ts';
export type { TaskStoreOptions as TasksOptions } from './task-store.ts';

// For programs that display tasks in their own form.
export { TaskClient } from './task-client.ts';
export { formatPriority } from './task-fields.ts';
export type { CallWriter } from './render/call-writer.ts';
export type { TaskResult } from './task-tools.ts';
export type { TaskPage } from './storage/read-tasks.ts';
export type { HistoryPage } from './task-store.ts';
export type { AuditEntry, Caller, FieldChange, Status, Task, TaskDetail, TaskMention, TaskOutcome } from './task.ts';
