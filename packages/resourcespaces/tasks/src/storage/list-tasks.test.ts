import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { OpenStore } from '../../test/open-store.ts';
import { clockAt, PLAN } from '../../test/open-tasks.ts';
import { ACTIVE, ACTIVE_TASKS, type Status, STATUSES, type TaskDetail, type TaskFilter } from '../task.ts';
import { formatPlace } from './task-place.ts';

const PRIORITIES = ['0.0.0', '1.0.0', '1.0.2', '1.2.0', '1.2.1', '2.0.0', '10.0.0'];
const TAGS = ['auth', 'ui', 'docs'];

/** Sixty tasks of every kind; the last thirty are of today, the others of long ago. */
function variedTasks(): { readonly tasks: OpenStore; readonly all: readonly TaskDetail[] } {
  const clock = clockAt('2026-01-01T00:00:00Z');
  const tasks = new OpenStore({ now: clock.now });
  for (let id = 1; id <= 60; id++) {
    if (id === 31) clock.set('2026-11-20T00:00:00Z');
    const tags = TAGS.filter((_, index) => (id >> index) % 2 === 1);
    const priority = id <= 3 ? '0.0.0' : PRIORITIES[id % PRIORITIES.length]!;
    const isBlocked = id > 4 && id % 5 === 0;
    tasks.add(`Task ${id}`, {
      tags,
      body: PLAN,
      priority,
      ...(id > 3 && { parent: 1 + (id % 3) }),
      ...(isBlocked && { after: [4] }),
    });
    const status = ([undefined, 'in_progress', 'cancelled'] as const)[id % 3];
    if (id > 3 && !isBlocked && status !== undefined) tasks.edit(id, { status });
  }
  return { tasks, all: Array.from({ length: 60 }, (_, index) => tasks.task(index + 1)) };
}

/** The meaning of a filter, without SQL. */
function passes(task: TaskDetail, { statuses, priorities, tags, parents, stale, ready }: TaskFilter): boolean {
  const { major, minor, patch } = task.priority;
  const numbers = [major, minor, patch];
  const isActive = ACTIVE.includes(task.status);
  return (
    statuses.includes(task.status) &&
    (priorities.length === 0 || priorities.some((first) => first.every((value, at) => value === numbers[at]))) &&
    (tags.length === 0 || tags.some((group) => group.every((tag) => task.tags.includes(tag)))) &&
    (parents.length === 0 || parents.includes(task.parent ?? 0)) &&
    (!stale || (isActive && task.updated < new Date('2026-11-06T00:00:00Z'))) &&
    (!ready || task.children.every(({ status }) => !ACTIVE.includes(status)))
  );
}

describe('a list', () => {
  it('has what is in progress first, then open, then blocked, by priority and id', () => {
    const tasks = new OpenStore();
    tasks.add('unclassified');
    tasks.add('later major', { priority: '2.0.0', body: PLAN });
    tasks.add('major', { priority: '1.0.0', body: PLAN });
    tasks.add('minor', { priority: '1.1.0' });
    tasks.add('blocked', { after: [1] });
    tasks.add('working');
    tasks.add('finished');
    tasks.edit(6, { status: 'in_progress' });
    tasks.done(7);
    // The major has a part, so that is what can be started.
    expect(tasks.ids()).toEqual([6, 4, 2, 1, 3, 5]);
    expect(tasks.ids({ statuses: STATUSES })).toEqual([6, 4, 2, 1, 3, 5, 7]);
  });

  it('has a parent behind what can be started while parts of it are left', () => {
    const tasks = new OpenStore();
    tasks.add('major', { priority: '1.0.0', body: PLAN, tags: ['x'] });
    tasks.add('minor', { priority: '1.1.0', parent: 1, tags: ['x'] });
    tasks.add('first', { priority: '3', tags: ['x'] });
    tasks.add('patch', { parent: 2, after: [3] });
    tasks.add('blocked', { priority: '1', after: [3] });
    const waiting = [3, 1, 2, 5, 4];
    expect(tasks.ids()).toEqual(waiting);
    expect(tasks.ids({ tags: [['x']] })).toEqual([3, 1, 2]);
    expect(tasks.ids({ priorities: [[1]] })).toEqual([1, 2, 5]);
    expect(tasks.ids({ statuses: ['open'] })).toEqual([3, 1, 2]);
    expect(tasks.store.counts()).toMatchObject({ open: 3, blocked: 2 });
    tasks.edit(1, { title: 'the major' });
    expect(tasks.ids()).toEqual(waiting);
    const free = tasks.add('free', { parent: 1 });
    expect(tasks.ids()).toEqual([3, free, 1, 2, 5, 4]);
    tasks.edit(free, { parent: 'none' });
    expect(tasks.ids()).toEqual([3, free, 1, 2, 5, 4]);
    tasks.edit(free, { parent: 2 });
    expect(tasks.ids()).toEqual([3, free, 1, 2, 5, 4]);
    tasks.done(free);
    expect(tasks.ids()).toEqual(waiting);
    tasks.done(3);
    expect(tasks.ids()).toEqual([5, 4, 1, 2]);
    tasks.edit(4, { status: 'cancelled' });
    // All parts of the minor are over, those of the major are not.
    expect(tasks.ids()).toEqual([5, 2, 1]);
    tasks.done(2);
    expect(tasks.ids()).toEqual([5, 1]);
  });

  it('holds exactly the tasks that pass a filter, in order', { tags: ['long'] }, () => {
    const { tasks, all } = variedTasks();
    const filter: fc.Arbitrary<TaskFilter> = fc.record({
      statuses: fc.subarray<Status>([...STATUSES], { minLength: 1 }),
      priorities: fc.subarray([[0], [1], [1, 2], [1, 2, 1], [10], [7]], { maxLength: 2 }),
      tags: fc.subarray([['auth'], ['ui'], ['auth', 'docs'], ['none']], { maxLength: 3 }),
      parents: fc.subarray([1, 2, 3, 99], { maxLength: 2 }),
      stale: fc.boolean(),
      ready: fc.boolean(),
    });
    const byPlace = (left: TaskDetail, right: TaskDetail): number => {
      const [one, other] = [left, right].map(({ status, priority, children }) => {
        const firstPart = children.map((part) => formatPlace(part.status, priority)).toSorted()[0];
        return formatPlace(status, priority, firstPart);
      }) as [string, string];
      return one === other ? left.id - right.id : one < other ? -1 : 1;
    };
    fc.assert(
      fc.property(filter, (some) => {
        const expected = all.filter((task) => passes(task, some)).toSorted(byPlace);
        const pages = [1, 41].map((first) => tasks.store.list(some, { first, most: 40 }));
        expect(pages.flatMap((page) => page.tasks.map(({ id }) => id))).toEqual(expected.map(({ id }) => id));
        expect(pages[0]).toMatchObject({ total: expected.length, isCounted: true, isLast: expected.length <= 40 });
      }),
      { numRuns: 300 },
    );
  });

  it('finds tasks without activity for two weeks', () => {
    const clock = clockAt('2026-11-01T00:00:00Z');
    const tasks = new OpenStore({ now: clock.now });
    tasks.add('old');
    tasks.add('touched');
    tasks.add('finished');
    tasks.done(3);
    clock.set('2026-11-14T00:00:00Z');
    tasks.edit(2, { title: 'touched again' });
    clock.set('2026-11-15T00:00:00Z');
    expect(tasks.ids({ stale: true })).toEqual([]);
    clock.set('2026-11-15T00:00:01Z');
    expect(tasks.ids({ stale: true })).toEqual([1]);
    expect(tasks.store.counts()).toMatchObject({ stale: 1, open: 2 });
  });

  it('is counted up to a thousand', () => {
    const tasks = new OpenStore();
    for (let id = 1; id <= 1001; id++) tasks.add(`Task ${id}`);
    const list = (first: number) => tasks.store.list(ACTIVE_TASKS, { first, most: 40 });
    expect(list(1)).toMatchObject({ total: 1000, isCounted: false, isLast: false });
    expect(list(962)).toMatchObject({ total: 1001, isCounted: false, isLast: true });
    tasks.done(1);
    expect(list(1)).toMatchObject({ total: 1000, isCounted: true });
  });
});
