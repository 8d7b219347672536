import { describe, expect, it } from 'vitest';
import { OpenStore } from '../../test/open-store.ts';

const TITLES = ['Fix login', 'login', 'Fix [big] logout', '100% done', 'a_b', 'ÜBER login', 'back\\slash'];

function glob(pattern: string): readonly number[] {
  const tasks = new OpenStore();
  for (const title of TITLES) tasks.add(title);
  return tasks.store.glob(pattern, { first: 1 }).tasks.map(({ id }) => id);
}

describe('a title pattern', () => {
  it.each([
    ['login', [1, 2, 6]],
    ['LOGIN', [1, 2, 6]],
    ['login*', [2]],
    ['*login', [1, 2, 6]],
    ['Fix*', [1, 3]],
    ['fix log??', [1]],
    ['über', [6]],
    ['[big]', [3]],
    ['100%', [4]],
    ['%', [4]],
    ['_', [5]],
    ['a?b', [5]],
    ['\\', [7]],
    ['*', [1, 2, 3, 4, 5, 6, 7]],
    ['**l*g**', [1, 2, 3, 6]],
    ['nothing', []],
  ])('%j finds %j', (pattern, ids) => {
    expect(glob(pattern)).toEqual(ids);
  });

  it('finds as many as are asked for, also beyond what is counted', () => {
    const tasks = new OpenStore();
    for (let id = 1; id <= 1100; id++) tasks.add(`Task ${id}`);
    const page = tasks.store.glob('task*', { first: 1, most: 2000 });
    expect(page).toMatchObject({ isLast: true, total: 1100 });
    expect(page.tasks).toHaveLength(1100);
  });

  it('takes no time to speak of, however it is made', () => {
    const tasks = new OpenStore();
    tasks.add('a'.repeat(200));
    expect(tasks.store.glob(`${'*a'.repeat(100)}*b`, { first: 1 }).total).toBe(0);
  });
});
