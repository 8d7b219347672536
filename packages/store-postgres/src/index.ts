// Public API. A name added here is a promise to every user of the package.
export { openPostgres, type Postgres, type Tables } from './postgres.ts';
export type { ConnectionOptions } from './connections.ts';
export type { SessionsOptions } from './postgres-sessions.ts';
export type { Notifications } from './notifications.ts';
export {
  WorkQueue,
  type SessionWork,
  type WorkOptions,
  type WorkQueueOptions,
  type WorkSignals,
} from './work-queue.ts';
