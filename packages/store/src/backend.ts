// Public API for packages that store sessions in another database: the parts that all of them have in common.
export { chainRecord, isSignedResult, signResult, signSession } from './record-chain.ts';
export { packBody } from './packed-body.ts';
export { isProven, makeSnapshot, readRecords, toApproval } from './read-snapshot.ts';
export { parseWordSearch, toSearchable, toStorable, toWords } from './entries/search-text.ts';
export { makeEntry, signEntry, toSearchEntry } from './entries/session-entry.ts';
export { readProgress, type Progress, type SessionRecord } from './session-writer.ts';
export { makeSessionId, toSessionInfo } from './store.ts';
export type { Row } from './database.ts';
export { makeNewerError, makeUnknownSessionError, readBaeVersion } from './store-error.ts';
