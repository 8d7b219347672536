import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { OpenStore, problemOf } from '../../test/open-store.ts';
import { TaskRuleError } from '../task-problem.ts';
import { PLAN } from '../../test/open-tasks.ts';
import { parsePriority } from '../task-fields.ts';

const after = (...add: readonly number[]) => ({ after: { add, remove: [] } });

describe('checkCycle', () => {
  it('has the whole path of the cycle', () => {
    const tasks = new OpenStore();
    for (const title of ['a', 'b', 'c', 'd']) tasks.add(title);
    expect(problemOf(() => tasks.edit(2, after(2)))).toMatchObject({ kind: 'cycle', path: [2, 2] });
    tasks.edit(2, after(1));
    expect(problemOf(() => tasks.edit(1, after(2)))).toMatchObject({ kind: 'cycle', path: [1, 2, 1] });
    tasks.edit(3, after(2));
    tasks.edit(4, after(3));
    expect(problemOf(() => tasks.edit(1, after(4)))).toMatchObject({ kind: 'cycle', path: [1, 4, 3, 2, 1] });
  });

  it('includes that a task waits for its parts', () => {
    const tasks = new OpenStore();
    tasks.add('whole');
    tasks.add('part', { parent: 1 });
    expect(problemOf(() => tasks.edit(2, after(1)))).toMatchObject({ field: 'after', path: [2, 1, 2] });
    expect(problemOf(() => tasks.edit(1, { parent: 2 }))).toMatchObject({ field: 'parent', path: [2, 1, 2] });
    expect(problemOf(() => tasks.edit(1, { parent: 1 }))).toMatchObject({ field: 'parent', path: [1, 1] });
    tasks.edit(1, after(2));
  });

  it('sees a circle that one edit closes by both links', () => {
    const tasks = new OpenStore();
    for (const title of ['a', 'b', 'c']) tasks.add(title);
    tasks.edit(2, after(3));
    expect(problemOf(() => tasks.edit(1, { ...after(2), parent: 3 }))).toMatchObject({ kind: 'cycle' });
    expect(tasks.task(1)).toMatchObject({ parent: undefined, after: [] });
  });

  const finishAll = (numRuns: number) => {
    const link = fc.record({
      id: fc.integer({ min: 1, max: 6 }),
      other: fc.integer({ min: 1, max: 6 }),
      isParent: fc.boolean(),
    });
    fc.assert(
      fc.property(fc.array(link, { maxLength: 15 }), (links) => {
        const tasks = new OpenStore();
        for (let id = 1; id <= 6; id++) tasks.add(`Task ${id}`);
        for (const { id, other, isParent } of links)
          attempt(() => tasks.edit(id, isParent ? { parent: other } : after(other)));
        for (let round = 1; round <= 6; round++) for (let id = 1; id <= 6; id++) attempt(() => tasks.done(id));
        expect(tasks.ids()).toEqual([]);
        tasks.store.close();
      }),
      { numRuns },
    );
  };

  it('lets every task be finished in some order, whatever was linked', () => finishAll(5));
  it('lets every task be finished in some order, whatever was linked, 25 times', { tags: ['long'] }, () =>
    finishAll(25),
  );
});

function attempt(work: () => unknown): void {
  try {
    work();
  } catch (error) {
    if (!(error instanceof TaskRuleError)) throw error;
  }
}

describe('a parent found by number', () => {
  const majors = (...priorities: readonly string[]) => {
    const tasks = new OpenStore();
    for (const priority of priorities) tasks.add(`Major ${priority}`, { priority, body: PLAN });
    return tasks;
  };

  it('is never the task itself', () => {
    const tasks = majors('1.0.0');
    const priority = parsePriority('1.1.0')!;
    expect(problemOf(() => tasks.edit(1, { priority }))).toMatchObject({ kind: 'no-parent', candidates: [] });
  });

  it('is blocked or in progress as well as open', () => {
    const tasks = majors('1.0.0', '2.0.0');
    tasks.add('First');
    tasks.edit(1, { after: { add: [3], remove: [] } });
    tasks.edit(2, { status: 'in_progress' });
    expect(['1.1.0', '2.1.0'].map((priority) => tasks.task(tasks.add('Part', { priority })).parent)).toEqual([1, 2]);
  });

  it('is missed with the majors there are, the most urgent first', () => {
    const tasks = majors('10.0.0', '2.0.0', '3.0.0');
    tasks.edit(3, { status: 'cancelled' });
    const problem = problemOf(() => tasks.add('Part', { priority: '4.1.0' }));
    expect(problem).toMatchObject({ majors: [{ id: 2 }, { id: 1 }] });
  });

  it('is missed with twenty of many majors', () => {
    const tasks = majors(...Array.from({ length: 25 }, (_, index) => `${index + 1}.0.0`));
    const problem = problemOf(() => tasks.add('Part', { priority: '99.1.0' }));
    expect('majors' in problem && problem.majors.map(({ id }) => id)).toEqual(
      Array.from({ length: 20 }, (_, index) => index + 1),
    );
  });
});
