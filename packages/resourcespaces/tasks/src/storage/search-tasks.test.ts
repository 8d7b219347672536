import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { HOSTILE_TEXTS } from '../../test/hostile-texts.ts';
import { OpenStore } from '../../test/open-store.ts';

/** A store with a task for each title, and how to search it: ids, best first. */
function searchable(...titles: readonly string[]) {
  const tasks = new OpenStore();
  for (const title of titles) tasks.add(title);
  return {
    tasks,
    search: (text: string) => tasks.store.search(text, { first: 1, most: 40 }).tasks.map(({ id }) => id),
  };
}

describe('a search', () => {
  it.each([
    ['part', 'the whole word'],
    ['par', 'its beginning'],
    ['PART', 'another case'],
    ['parts', 'another number'],
    ['part configu', 'a beginning that ends beyond the stem'],
    ['configured', 'another form'],
    ['configuration', 'another form'],
    ['configurat', 'the beginning of another form'],
    ['cafe', 'no accents'],
  ])('for %j finds %s', (text) => {
    const { search } = searchable('Something else', 'Part of the configuration of the Café');
    expect(search(text)).toEqual([2]);
  });

  it('wants every word', () => {
    const { search } = searchable('Fix login', 'Fix logout', 'Login page');
    expect(search('fix login')).toEqual([1]);
    expect(search('login fix')).toEqual([1]);
    expect(search('fix nothing')).toEqual([]);
  });

  it('looks into bodies, and puts hits in titles first', () => {
    const tasks = new OpenStore();
    tasks.add('Write docs', { body: 'About the login.' });
    tasks.add('Fix login');
    expect(tasks.store.search('login', { first: 1, most: 40 }).tasks.map(({ id }) => id)).toEqual([2, 1]);
  });

  it('puts active tasks first', () => {
    const { tasks, search } = searchable('Login 1', 'Login 2', 'Login 3');
    tasks.done(1);
    expect(search('login')).toEqual([2, 3, 1]);
  });

  it.each(['C++', 'a b', 'x', '日本', 'ß', '#7'])('finds short and foreign words like %s anywhere', (word) => {
    const { search } = searchable('Nothing', `About${word}: more`);
    expect(search(word)).toEqual([2]);
  });

  it('follows changes of title and body', () => {
    const { tasks, search } = searchable('Fix login');
    tasks.edit(1, { title: 'Fix logout', body: 'Of the portal.' });
    expect([search('login'), search('logout'), search('portal')]).toEqual([[], [1], [1]]);
    tasks.edit(1, { body: '' });
    expect(search('portal')).toEqual([]);
  });

  it('finds every word of every title by any of its beginnings', { tags: ['long'] }, () => {
    const word = fc.stringMatching(/^[a-z]{3,12}$/);
    const titles = fc.array(fc.array(word, { minLength: 1, maxLength: 4 }), { minLength: 1, maxLength: 8 });
    fc.assert(
      fc.property(titles, fc.nat(), fc.nat(), fc.integer({ min: 3, max: 12 }), (all, one, other, length) => {
        const { search, tasks } = searchable(...all.map((words) => words.join(' ')));
        const id = 1 + (one % all.length);
        const words = all[id - 1]!;
        expect(search(words[other % words.length]!.slice(0, length))).toContain(id);
        tasks.store.close();
      }),
      { numRuns: 60 },
    );
  });

  it('finds a thousand tasks by one word, and counts no further', { tags: ['long'] }, () => {
    const tasks = new OpenStore();
    for (let id = 1; id <= 1002; id++) tasks.add(`Task ${id}`);
    for (const text of ['task', 'tas', 'ta'])
      expect(tasks.store.search(text, { first: 1, most: 40 })).toMatchObject({
        total: 1000,
        isCounted: false,
        isLast: false,
      });
    expect(tasks.store.search('1002', { first: 1, most: 40 })).toMatchObject({
      total: 1,
      isCounted: true,
      isLast: true,
    });
  });
});

describe('no text', () => {
  const tasks = () =>
    searchable(...HOSTILE_TEXTS.filter((text) => text.trim() !== '').map((text) => text.slice(0, 200)));

  it.each(HOSTILE_TEXTS.map((text) => [text]))('is a wrong search or pattern: %j', (text) => {
    const { store } = searchable('quick-note', 'AND', '"quoted"', '100% _done_').tasks;
    store.search(text, { first: 1, most: 40 });
    store.glob(text, { first: 1, most: 40 });
  });

  const searchRandomTexts = (numRuns: number) => {
    const { store } = tasks().tasks;
    const piece = fc.oneof(fc.constantFrom(...HOSTILE_TEXTS), fc.string({ unit: 'binary' }), fc.string());
    const text = fc.array(piece, { maxLength: 4 }).map((pieces) => pieces.join(' '));
    fc.assert(
      fc.property(text, (some) => {
        store.search(some, { first: 1, most: 40 });
        store.glob(some, { first: 1, most: 40 });
      }),
      { numRuns },
    );
  };

  it('is a wrong search or pattern among 80', { tags: ['long'] }, () => searchRandomTexts(80));
  it('is a wrong search or pattern among 10,000', { tags: ['long'] }, () => searchRandomTexts(10_000));

  it('hides a task that has it as a title', () => {
    const { search } = searchable('quick-note', 'AND OR NOT', '"quoted"', "it's", '100% done', 'a_b');
    expect(search('quick-note')).toEqual([1]);
    expect(search('AND')).toEqual([2]);
    expect(search('"quoted"')).toEqual([3]);
    expect(search("it's")).toEqual([4]);
    expect(search('100%')).toEqual([5]);
    expect(search('a_b')).toEqual([6]);
  });
});

const TITLES = ['Fix login', 'login', 'Fix [big] logout', '100% done', 'a_b', 'ÜBER login', 'back\\slash'];

function glob(pattern: string): readonly number[] {
  const tasks = new OpenStore();
  for (const title of TITLES) tasks.add(title);
  return tasks.store.glob(pattern, { first: 1, most: 40 }).tasks.map(({ id }) => id);
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

  it('finds as many as a page needs, also beyond what is counted', { tags: ['long'] }, () => {
    const tasks = new OpenStore();
    for (let id = 1; id <= 1100; id++) tasks.add(`Task ${id}`);
    const page = tasks.store.glob('task*', { first: 1, most: 2000 });
    expect(page).toMatchObject({ isLast: true, total: 1100 });
    expect(page.tasks).toHaveLength(1100);
  });

  it('takes no time to speak of, however it is made', () => {
    const tasks = new OpenStore();
    tasks.add('a'.repeat(200));
    expect(tasks.store.glob(`${'*a'.repeat(100)}*b`, { first: 1, most: 40 }).total).toBe(0);
  });
});
