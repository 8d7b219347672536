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
 */
export function formatPlace(status: Status, priority: Priority): string {
  const { major, minor, patch } = priority;
  const level = getLevel(priority);
  const order = level === 'unclassified' ? LAST : padNumbers(level === 'plain' ? [major] : [major, minor, patch]);
  return `${STATUSES.indexOf(status)} ${order}`;
}

/**
 * Returns the range of all places of a status, or only of those whose priority begins with some numbers.
 *
 * @param numbers `[1, 2]` for 1.2.0, 1.2.1, …; empty for every priority
 */
export function getStretch(status: Status, numbers: readonly number[] = []): Stretch {
  const order = numbers.length === 0 ? '' : ` ${numbers[0] === 0 ? LAST : padNumbers(numbers)}`;
  const start = `${STATUSES.indexOf(status)}${order}`;
  // A slash sorts after the dot and the blank that may follow, and before any digit.
  return { start, end: `${start}/` };
}

function padNumbers(numbers: readonly number[]): string {
  return numbers.map((number) => String(number).padStart(DIGITS, '0')).join('.');
}
