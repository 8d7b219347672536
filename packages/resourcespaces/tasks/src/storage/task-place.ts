import type { Row, Value } from '@bae/store';
import { getLevel, type Priority } from '../task-fields.ts';
import { STATUSES, type Status } from '../task.ts';

/** A range of places, from `start` up to, but not including, `end`. */
export interface Stretch {
  readonly start: string;
  readonly end: string;
}

/** Number of digits of a number in a place, so that texts sort like numbers. */
const DIGITS = 6;
/** Character that sorts after every digit. */
const LAST = '~';

/** The place of the first finished task: every active one precedes it. */
export const FIRST_FINISHED = String(STATUSES.indexOf('done'));

/**
 * Returns the position of a task in lists, as a sortable text: by status, then by priority, unclassified tasks last.
 * `1 000001.000002.000003` is an open task of priority 1.2.3.
 *
 * @param firstPart place of the first part of the task, if it has any. An open task with unfinished parts cannot be
 *   started itself: it comes after those that can, as `1~000001.000002.000003`
 */
export function formatPlace(status: Status, priority: Priority, firstPart?: string): string {
  const { major, minor, patch } = priority;
  const level = getLevel(priority);
  const order = level === 'unclassified' ? LAST : padNumbers(level === 'plain' ? [major] : [major, minor, patch]);
  const hasParts = firstPart !== undefined && firstPart < FIRST_FINISHED;
  return `${STATUSES.indexOf(status)}${status === 'open' && hasParts ? LAST : ' '}${order}`;
}

/** Returns the range of all places of a status. */
export function getStretch(status: Status): Stretch {
  const index = STATUSES.indexOf(status);
  return { start: String(index), end: String(index + 1) };
}

/**
 * Returns the ranges of the places of a status whose priority begins with some numbers.
 *
 * @param numbers `[1, 2]` for 1.2.0, 1.2.1, …; empty for every priority
 */
export function getStretches(status: Status, numbers: readonly number[]): readonly Stretch[] {
  if (numbers.length === 0) return [getStretch(status)];
  const order = numbers[0] === 0 ? LAST : padNumbers(numbers);
  return (status === 'open' ? [' ', LAST] : [' ']).map((mark) => {
    const start = `${STATUSES.indexOf(status)}${mark}${order}`;
    // A slash sorts after the dot that may follow, and before any digit.
    return { start, end: `${start}/` };
  });
}

function padNumbers(numbers: readonly number[]): string {
  return numbers.map((number) => String(number).padStart(DIGITS, '0')).join('.');
}

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
