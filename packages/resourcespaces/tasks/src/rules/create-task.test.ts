import { describe, expect, it } from 'vitest';
import { OpenStore, problemOf } from '../../test/open-store.ts';
import { PLAN } from '../../test/open-tasks.ts';

describe('a new task', () => {
  it('is open, of whoever made it, and remembers that', () => {
    const tasks = new OpenStore({ caller: 'user', now: () => new Date('2026-11-20T10:00:00Z') });
    const id = tasks.add('First', { body: 'What to do.', tags: ['ui', 'auth'], metadata: { a: [1] }, gated: true });
    expect(tasks.task(id)).toEqual({
      id: 1,
      title: 'First',
      body: 'What to do.',
      status: 'open',
      priority: { major: 0, minor: 0, patch: 0 },
      tags: ['auth', 'ui'],
      parent: undefined,
      parentTask: undefined,
      creator: 'user',
      gated: true,
      pending: undefined,
      created: new Date('2026-11-20T10:00:00Z'),
      updated: new Date('2026-11-20T10:00:00Z'),
      version: 1,
      metadata: { a: [1] },
      children: [],
      after: [],
      before: [],
      history: [
        { field: 'created', old: undefined, new: 'First', who: 'user', time: new Date('2026-11-20T10:00:00Z') },
      ],
      changes: 1,
    });
  });

  it('can be written down for somebody else', () => {
    const tasks = new OpenStore();
    expect(tasks.task(tasks.add('Asked for', { creator: 'user' })).creator).toBe('user');
  });

  it('finds its parent by its number', () => {
    const tasks = new OpenStore();
    const major = tasks.add('Big', { priority: '1.0.0', body: PLAN });
    const minor = tasks.add('Part', { priority: '1.1.0' });
    const patch = tasks.add('Detail', { priority: '1.1.1' });
    const direct = tasks.add('Detail of the whole', { priority: '1.0.1' });
    expect([minor, patch, direct].map((id) => tasks.task(id).parent)).toEqual([major, minor, major]);
    expect(tasks.task(major)).toMatchObject({ parent: undefined, children: [{ id: direct }, { id: minor }] });
  });

  it('needs a parent for its number, or one that is named', () => {
    const tasks = new OpenStore();
    const other = tasks.add('Other');
    const problem = problemOf(() => tasks.add('Part', { priority: '2.1.0' }));
    expect(problem).toMatchObject({ kind: 'no-parent', wanted: { major: 2, minor: 0, patch: 0 }, candidates: [] });
    expect(tasks.task(tasks.add('Part', { priority: '2.1.0', parent: other })).parent).toBe(other);
    expect(problemOf(() => tasks.add('Part', { parent: 99 }))).toEqual({
      kind: 'no-task',
      field: 'parent',
      id: 99,
      last: 2,
    });
  });

  it('asks which parent when there is more than one, and takes no finished one', () => {
    const tasks = new OpenStore();
    const [one, two] = [0, 1].map((n) => tasks.add(`Big ${n}`, { priority: '1.0.0', body: PLAN })) as [number, number];
    expect(problemOf(() => tasks.add('Part', { priority: '1.1.0' }))).toMatchObject({
      kind: 'no-parent',
      candidates: [{ id: one }, { id: two }],
    });
    tasks.edit(two, { status: 'cancelled' });
    expect(tasks.task(tasks.add('Part', { priority: '1.1.0' })).parent).toBe(one);
    expect(problemOf(() => tasks.add('Part', { parent: two }))).toMatchObject({ kind: 'final', field: 'parent' });
  });

  it('needs its sections when it is a major', () => {
    const tasks = new OpenStore();
    const [, ...rest] = PLAN.split('\n');
    expect(problemOf(() => tasks.add('Big', { priority: '1.0.0', body: rest.join('\n') }))).toMatchObject({
      kind: 'sections',
      missing: ['assumptions'],
    });
  });

  it('is blocked by what it comes after, unless that is finished', () => {
    const tasks = new OpenStore();
    const [first, second] = [tasks.add('First'), tasks.add('Second')];
    tasks.done(second);
    expect(tasks.task(tasks.add('Third', { after: [first, second] }))).toMatchObject({
      status: 'blocked',
      after: [{ id: first }, { id: second }],
    });
    expect(tasks.task(tasks.add('Fourth', { after: [second] })).status).toBe('open');
  });

  it('leaves nothing behind when something is wrong with it', () => {
    const tasks = new OpenStore();
    tasks.add('First', { tags: ['auth'] });
    problemOf(() => tasks.add('Second', { tags: ['ui'], after: [1, 99] }));
    const parent = tasks.add('Second', { after: [1] });
    expect(parent).toBe(2);
    expect(problemOf(() => tasks.add('Third', { parent, after: [parent] }))).toEqual({
      kind: 'cycle',
      field: 'after',
      path: [3, 2, 3],
    });
    expect(tasks.ids()).toEqual([2, 1]);
    expect(tasks.ids({ tags: [['ui']] })).toEqual([]);
  });
});
