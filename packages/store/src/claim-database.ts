import type { Database } from './database.ts';
import { StoreError } from './errors/store-error.ts';
import { transaction } from './transaction.ts';

/** Stands in the header of every database that bae makes: "bae" and a zero. */
const APPLICATION = 0x62616500;

/**
 * Refuses what another program has made, before anything in it is changed.
 *
 * @throws StoreError for a database that is neither empty nor bae's
 */
export function refuseOtherPrograms(database: Database): void {
  // In this order: another process may be making it right now, and marks it before anything is in it.
  if (isEmpty(database) || isOurs(database)) return;
  throw new StoreError(`${database.file}: it is a database of another program, and was left as it is.`, [
    'use another file: --db FILE',
  ]);
}

/** Marks an empty database as bae's. */
export function claimDatabase(database: Database): void {
  if (isOurs(database)) return;
  transaction(database, () => database.execute(`PRAGMA application_id = ${APPLICATION}`));
}

function isOurs(database: Database): boolean {
  return database.get('PRAGMA application_id')?.['application_id'] === APPLICATION;
}

function isEmpty(database: Database): boolean {
  return database.get('SELECT 1 FROM sqlite_schema') === undefined;
}
