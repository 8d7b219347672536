// Public API. A name added here is a promise to every user of the package.

// Sessions.
export type {
  Awaitable,
  LogEvent,
  LoggedEvent,
  NewSession,
  SessionInfo,
  SessionParts,
  SessionStore,
  SessionMemory,
  TagChange,
} from './session-store.ts';
export { Store, type StoreOptions } from './store.ts';
export type { RecordedApproval } from './read-snapshot.ts';
export type { SessionWriter } from './session-writer.ts';
export type { KeptResults } from './kept-results.ts';
export type { EntryFilter, EntrySearchOptions } from './entries/search-entries.ts';
export type { Entry, EntryChannel } from './entries/session-entry.ts';
export { createTextTest, forgetInTables, type ForgetReport } from './entries/forget-text.ts';
export { parseSearch, type ParsedSearch } from './entries/search-text.ts';

// Databases for other data.
export { hasDatabase, openDatabase, type DatabaseOptions } from './open-database.ts';
export { openSqlDatabase, type SqlDatabase, type SqlQueries, type SqlValue } from './sql-database.ts';
export { runTransaction, type Database, type Row, type Value } from './database.ts';

export { FencedError, StoreError } from './store-error.ts';
