import type { Database } from './database.ts';
import { StoreError } from './errors/store-error.ts';
import { transaction } from './transaction.ts';

/**
 * Brings a database to the newest version, one step and one transaction at a time.
 *
 * A file has one list of steps, its own. Its version is the number of steps taken. Steps are never
 * changed, only added to; several processes may do this at once.
 *
 * @param steps statements that lead from each version to the next
 * @throws StoreError for a database of a later version, which is left as it is
 */
export function migrate(database: Database, steps: readonly string[]): void {
  while (versionOf(database) < steps.length) transaction(database, () => takeStep(database, steps));
  const version = versionOf(database);
  if (version > steps.length) throw newerVersion(database, version, steps.length);
}

function takeStep(database: Database, steps: readonly string[]): void {
  // Read again, because another process may have been faster.
  const version = versionOf(database);
  const step = steps[version];
  if (step === undefined) return;
  database.execute(step);
  database.execute(`PRAGMA user_version = ${version + 1}`);
}

function versionOf(database: Database): number {
  return Number(database.get('PRAGMA user_version')?.['user_version']);
}

function newerVersion({ file }: Database, version: number, known: number): StoreError {
  return new StoreError(
    `${file}: it was made by a newer bae (its version is ${version}, this bae knows ${known}), and was left as it is.`,
    ['update bae', 'or use another file: --db FILE'],
  );
}
