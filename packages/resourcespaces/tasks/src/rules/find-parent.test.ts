import { describe, expect, it } from 'vitest';
import { OpenStore, problemOf } from '../../test/open-store.ts';
import { PLAN } from '../../test/open-tasks.ts';
import { parsePriority } from '../task-priority.ts';
import { parentPriority } from './parent-priority.ts';

describe('parentPriority', () => {
  it.each([
    ['0.0.0', undefined],
    ['1.0.0', undefined],
    ['1.2.0', { major: 1, minor: 0, patch: 0 }],
    ['1.2.3', { major: 1, minor: 2, patch: 0 }],
    ['1.0.3', { major: 1, minor: 0, patch: 0 }],
  ])('of %s is %j', (text, parent) => {
    expect(parentPriority(parsePriority(text)!)).toEqual(parent);
  });
});

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
