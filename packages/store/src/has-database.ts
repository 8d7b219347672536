import { statSync } from 'node:fs';

/** True when there is something at the path of a database. Whoever only looks need not make a file. */
export function hasDatabase(file: string): boolean {
  return statSync(file, { throwIfNoEntry: false }) !== undefined;
}
