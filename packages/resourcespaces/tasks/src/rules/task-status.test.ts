import { describe, expect, it } from 'vitest';
import { problemOf } from '../../test/open-store.ts';
import type { SettableStatus, Status, TaskMention } from '../task.ts';
import { decideStatus } from './task-status.ts';

const task = (status: Status): TaskMention => ({ id: 3, status, title: 'Part' });
const blocker: TaskMention = { id: 1, status: 'open', title: 'First' };

describe('decideStatus', () => {
  it.each([
    ['open', undefined, 'open'],
    ['open', 'open', 'open'],
    ['open', 'in_progress', 'in_progress'],
    ['open', 'done', 'done'],
    ['open', 'cancelled', 'cancelled'],
    ['in_progress', undefined, 'in_progress'],
    ['in_progress', 'open', 'open'],
    ['in_progress', 'done', 'done'],
    ['in_progress', 'cancelled', 'cancelled'],
    ['blocked', undefined, 'open'],
    ['blocked', 'in_progress', 'in_progress'],
    ['blocked', 'done', 'done'],
  ] as const)('turns %s with the wish %s into %s when nothing is in the way', (from, wanted, to) => {
    expect(decideStatus(task(from), wanted, [])).toBe(to);
  });

  it.each(['open', 'in_progress', 'blocked'] as const)('blocks a task that is %s and waits for another', (from) => {
    expect(decideStatus(task(from), undefined, [blocker])).toBe('blocked');
    expect(decideStatus(task(from), 'cancelled', [blocker])).toBe('cancelled');
    for (const wanted of ['open', 'in_progress', 'done'] satisfies SettableStatus[]) {
      expect(problemOf(() => decideStatus(task(from), wanted, [blocker]))).toEqual({
        kind: 'blocked',
        id: 3,
        title: 'Part',
        by: [blocker],
        wanted,
      });
    }
  });
});
