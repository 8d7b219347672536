// Public API for those who keep sessions in another database: what is the same in all of them.
export { chainRecord } from './record-chain.ts';
export { isProven, makeSnapshot, readRecords, toApproval } from './read-snapshot.ts';
export { splitSearch, toSearchable, toStorable } from './entries/search-text.ts';
export { makeEntry, toEntry } from './entries/session-entry.ts';
export { readProgress, type Progress, type SessionRecord } from './session-writer.ts';
export { makeSessionId, toSessionInfo } from './store.ts';
export type { Row } from './database.ts';
export { makeUnknownSessionError } from './store-error.ts';
