import { join } from 'node:path';
import { expect, it } from 'vitest';
import { temporaryFolder } from '../test/temporary-folder.ts';
import { claimDatabase, refuseOtherPrograms } from './claim-database.ts';
import { Database } from './database.ts';
import { DatabaseSync } from 'node:sqlite';

/** A database in which another process does something after the first look. */
class Watched extends Database {
  readonly #then: () => void;
  #looks = 0;

  constructor(file: string, then: () => void) {
    super(new DatabaseSync(file), file);
    this.#then = then;
  }

  override get(...query: Parameters<Database['get']>): ReturnType<Database['get']> {
    const row = super.get(...query);
    if (++this.#looks === 1) this.#then();
    return row;
  }
}

it('takes a database for its own that another process of bae makes at the same moment', () => {
  const file = join(temporaryFolder(), 'bae.db');
  const other = new Database(new DatabaseSync(file), file);
  const watched = new Watched(file, () => {
    claimDatabase(other);
    other.execute('CREATE TABLE sessions (id)');
  });
  expect(() => refuseOtherPrograms(watched)).not.toThrow();
  watched.close();
  other.close();
});
