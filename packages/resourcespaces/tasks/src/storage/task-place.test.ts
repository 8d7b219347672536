import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { getLevel, type Priority } from '../task-fields.ts';
import { type Status, STATUSES } from '../task.ts';
import { formatPlace, getStretches } from './task-place.ts';

const number = fc.integer({ min: 0, max: 999_999 });
const priority: fc.Arbitrary<Priority> = fc.oneof(
  fc.constant({ major: 0, minor: 0, patch: 0 }),
  fc.record({ major: fc.integer({ min: 1, max: 999_999 }), minor: fc.constant(-1), patch: fc.constant(0) }),
  fc.record({ major: fc.integer({ min: 1, max: 999_999 }), minor: number, patch: number }),
);
const task = fc.record({ status: fc.constantFrom<Status>(...STATUSES), priority });

/** The order that lists promise, without the text of a place. */
function rank({
  status,
  priority: { major, minor, patch },
}: {
  status: Status;
  priority: Priority;
}): readonly number[] {
  const isLast = getLevel({ major, minor, patch }) === 'unclassified' ? 1 : 0;
  return [STATUSES.indexOf(status), isLast, major, minor, patch];
}

function compare(left: readonly number[], right: readonly number[]): number {
  const at = left.findIndex((value, index) => value !== right[index]);
  return at === -1 ? 0 : Math.sign(left[at]! - right[at]!);
}

describe('formatPlace', () => {
  it('sorts by status, then by priority, the unclassified last', () => {
    expect(formatPlace('in_progress', { major: 9, minor: 0, patch: 0 })).toBe('0 000009.000000.000000');
    expect(formatPlace('open', { major: 0, minor: 0, patch: 0 })).toBe('1 ~');
    expect(formatPlace('open', { major: 3, minor: -1, patch: 0 })).toBe('1 000003');
  });

  it('puts an open task with unfinished parts behind those that can be started', () => {
    const first = { major: 1, minor: 0, patch: 0 };
    const last = { major: 0, minor: 0, patch: 0 };
    for (const status of ['in_progress', 'open', 'blocked'] as const) {
      const parent = formatPlace('open', first, formatPlace(status, last));
      expect(parent).toBe('1~000001.000000.000000');
      expect(parent > formatPlace('open', last) && parent < formatPlace('blocked', first)).toBe(true);
    }
    for (const status of ['done', 'cancelled'] as const)
      expect(formatPlace('open', first, formatPlace(status, last))).toBe('1 000001.000000.000000');
    expect(formatPlace('in_progress', first, formatPlace('open', last))).toBe('0 000001.000000.000000');
  });

  it('sorts any two tasks as their numbers do', () => {
    fc.assert(
      fc.property(task, task, (left, right) => {
        const [one, other] = [left, right].map((some) => formatPlace(some.status, some.priority));
        const order = one! < other! ? -1 : one! > other! ? 1 : 0;
        expect(order).toBe(compare(rank(left), rank(right)));
      }),
    );
  });
});

describe('getStretches', () => {
  it('hold exactly the tasks of a status whose priority begins so', () => {
    const numbers = fc.integer({ min: 0, max: 3 });
    fc.assert(
      fc.property(task, fc.constantFrom<Status>(...STATUSES), numbers, (one, status, length) => {
        const { major, minor, patch } = one.priority;
        const begin = (minor < 0 ? [major] : [major, minor, patch]).slice(0, length);
        const blocked = formatPlace('blocked', one.priority);
        for (const place of [formatPlace(one.status, one.priority), formatPlace(one.status, one.priority, blocked)])
          expect(isWithin(place, status, begin)).toBe(one.status === status);
      }),
    );
  });

  it('do not take 10 for something that begins with 1', () => {
    const ten = { major: 10, minor: 0, patch: 0 };
    expect(isWithin(formatPlace('open', ten), 'open', [1])).toBe(false);
    expect(isWithin(formatPlace('open', ten, formatPlace('blocked', ten)), 'open', [1])).toBe(false);
  });
});

function isWithin(place: string, status: Status, numbers: readonly number[]): boolean {
  return getStretches(status, numbers).some(({ start, end }) => place >= start && place < end);
}
