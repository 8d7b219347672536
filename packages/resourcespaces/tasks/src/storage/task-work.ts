import type { Row, Value } from '@bae/store';

/** A statement with its values, or a search for words, which each kind of database does in its own way. */
export type Request =
  | { readonly sql: string; readonly values: readonly Value[] }
  | { readonly find: string; readonly most: number };

/**
 * Work with the tables of tasks: it yields what it wants of the database, and gets rows back. So the same rules run over
 * a file, which answers at once, and over a server, which takes its time.
 */
export type Work<T> = Generator<Request, T, readonly Row[]>;

/** All rows of a statement; none for one that only changes something. */
export function* all(sql: string, ...values: readonly Value[]): Work<readonly Row[]> {
  return yield { sql, values };
}

/** The first row of a query, or undefined when there is none. */
export function* get(sql: string, ...values: readonly Value[]): Work<Row | undefined> {
  return (yield { sql, values })[0];
}

/** Ids of the tasks that have every word of a text, the newest at most; in no order. */
export function* find(text: string, most: number): Work<readonly number[]> {
  return (yield { find: text, most }).map((row) => Number(row['id']));
}

/** Does work with a database that answers at once. */
export function runWork<T>(work: Work<T>, perform: (request: Request) => readonly Row[]): T {
  let step = work.next();
  while (!step.done) step = work.next(perform(step.value));
  return step.value;
}

/** Does work with a database on a server. */
export async function awaitWork<T>(work: Work<T>, perform: (request: Request) => Promise<readonly Row[]>): Promise<T> {
  let step = work.next();
  while (!step.done) step = work.next(await perform(step.value));
  return step.value;
}
