import type { Row, Value } from '@bae/store';

/** A statement with its values, or a search for words, which each kind of database performs in its own way. */
export type Request =
  | { readonly sql: string; readonly values: readonly Value[] }
  | { readonly find: string; readonly most: number };

/**
 * Work with the tables of tasks: it yields requests to the database, and receives rows. So the same rules apply to a
 * file, which answers synchronously, and to a server, which answers asynchronously.
 */
export type Work<T> = Generator<Request, T, readonly Row[]>;

/** Returns all rows of a statement; none for a statement that only makes changes. */
export function* all(sql: string, ...values: readonly Value[]): Work<readonly Row[]> {
  return yield { sql, values };
}

/** Returns the first row of a query, or undefined when there is none. */
export function* get(sql: string, ...values: readonly Value[]): Work<Row | undefined> {
  return (yield { sql, values })[0];
}

/** Returns the ids of the newest tasks, at most `most`, that contain every word of a text; in no particular order. */
export function* find(text: string, most: number): Work<readonly number[]> {
  return (yield { find: text, most }).map((row) => Number(row['id']));
}

/** Runs work with a database that answers synchronously. */
export function runWork<T>(work: Work<T>, perform: (request: Request) => readonly Row[]): T {
  let step = work.next();
  while (!step.done) step = work.next(perform(step.value));
  return step.value;
}

/** Runs work with a database on a server. */
export async function awaitWork<T>(work: Work<T>, perform: (request: Request) => Promise<readonly Row[]>): Promise<T> {
  let step = work.next();
  while (!step.done) step = work.next(await perform(step.value));
  return step.value;
}
