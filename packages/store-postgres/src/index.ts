// Public API. A name added here is a promise to every user of the package.
export { openPostgres, type Postgres } from './postgres.ts';
export type { ConnectionOptions } from './connections.ts';
export type { Tables } from './migrate.ts';
export type { SessionsOptions } from './postgres-sessions.ts';
