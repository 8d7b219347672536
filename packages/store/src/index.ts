// Public API. A name added here is a promise to every user of the package.

// Sessions.
export { Store, type StoreOptions } from './store.ts';
export type { SessionWriter } from './session-writer.ts';
export type { KeptResults } from './kept-results.ts';
export type { NewSession, SessionInfo } from './session-info.ts';
export type { Entry, SearchOptions } from './search-entries.ts';

// Any other data in a database of its own.
export { openDatabase, type DatabaseOptions } from './open-database.ts';
export { hasDatabase } from './has-database.ts';
export type { Database, Row, Value } from './database.ts';
export { transaction } from './transaction.ts';
export { migrate } from './migrate.ts';
export { searchTerms, type SearchTerms } from './search-terms.ts';

export { StoreError } from './errors/store-error.ts';
