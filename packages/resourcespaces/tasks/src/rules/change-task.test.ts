import { describe, expect, it } from 'vitest';
import { OpenStore, problemOf } from '../../test/open-store.ts';
import { OUTCOME, PLAN } from '../../test/open-tasks.ts';
import { parsePriority } from '../task-fields.ts';
import type { SettableStatus, Status, TaskMention } from '../task.ts';
import { decideStatus } from './change-task.ts';

const priority = (text: string) => parsePriority(text)!;

describe('an edit', () => {
  it('changes what it names, and writes down each change', () => {
    const tasks = new OpenStore();
    const id = tasks.add('First', { tags: ['auth'] });
    const { task, changes } = tasks.edit(id, {
      title: 'Fix login',
      body: 'It fails.',
      status: 'in_progress',
      tags: { kind: 'change', add: ['ui'], remove: ['auth'] },
      gated: true,
      metadata: { url: 'x' },
    });
    expect(task).toMatchObject({ title: 'Fix login', status: 'in_progress', tags: ['ui'], gated: true, version: 2 });
    expect(changes).toEqual([
      { field: 'title', old: 'First', new: 'Fix login' },
      { field: 'body', old: '', new: 'It fails.' },
      { field: 'status', old: 'open', new: 'in_progress' },
      { field: 'tags', old: 'auth', new: 'ui' },
      { field: 'gated', old: 'false', new: 'true' },
      { field: 'metadata', old: '{}', new: '{"url":"x"}' },
    ]);
    expect(task.changes).toBe(7);
  });

  it('that changes nothing leaves the version alone', () => {
    const tasks = new OpenStore();
    const id = tasks.add('First');
    expect(tasks.edit(id, { title: 'First', status: 'open' })).toMatchObject({ changes: [], task: { version: 1 } });
  });

  it('is done as a whole or not at all', () => {
    const tasks = new OpenStore();
    const [first, second] = [tasks.add('First'), tasks.add('Second', { after: [1] })];
    const before = tasks.task(second);
    const tags = { kind: 'set', tags: ['new'] } as const;
    problemOf(() => tasks.edit(second, { title: 'Renamed', tags, status: 'done' }));
    problemOf(() => tasks.edit(second, { title: 'Renamed', after: { add: [], remove: [first, 99] } }));
    problemOf(() => tasks.edit(second, { title: 'Renamed', priority: priority('3.1.0') }));
    expect(tasks.task(second)).toEqual(before);
    expect(tasks.ids({ tags: [['new']] })).toEqual([]);
  });

  it('of another version is refused with the task as it is now', () => {
    const tasks = new OpenStore();
    const id = tasks.add('First');
    tasks.edit(id, { title: 'Second', version: 1 });
    expect(problemOf(() => tasks.edit(id, { title: 'Third', version: 1 }))).toMatchObject({
      kind: 'conflict',
      version: 1,
      task: { title: 'Second', version: 2 },
    });
    expect(tasks.edit(id, { title: 'Third', version: 2 }).task.title).toBe('Third');
  });

  it.each(['done', 'cancelled'] as const)('of a task that is %s is refused', (status) => {
    const tasks = new OpenStore();
    const id = tasks.add('First');
    tasks.edit(id, { status });
    for (const edit of [{ status: 'open' }, { title: 'x' }, { tags: { kind: 'set', tags: [] } }] as const)
      expect(problemOf(() => tasks.edit(id, edit))).toMatchObject({ kind: 'final', field: Object.keys(edit)[0] });
    expect(tasks.task(id).version).toBe(2);
  });

  it('of a task that is not there is refused', () => {
    expect(problemOf(() => new OpenStore().done(7))).toEqual({ kind: 'no-task', field: 'id', id: 7, last: 0 });
  });
});

describe('a new priority', () => {
  it('brings a new parent, unless the edit names one', () => {
    const tasks = new OpenStore();
    const [one, two] = ['1.0.0', '2.0.0'].map((text) => tasks.add(text, { priority: text, body: PLAN })) as [
      number,
      number,
    ];
    const part = tasks.add('Part', { priority: '1.1.0' });
    expect(tasks.edit(part, { priority: priority('2.1.0') }).task.parent).toBe(two);
    expect(tasks.edit(part, { priority: priority('2.2.0'), parent: one }).task.parent).toBe(one);
    expect(tasks.edit(part, { priority: priority('2.2.0') }).changes).toEqual([]);
    expect(tasks.edit(part, { priority: priority('0.0.0') }).task.parent).toBe(one);
    expect(tasks.edit(part, { parent: 'none' }).task.parent).toBeUndefined();
  });

  it('needs sections for a major', () => {
    const tasks = new OpenStore();
    const id = tasks.add('Big');
    expect(problemOf(() => tasks.edit(id, { priority: priority('1.0.0') }))).toMatchObject({ kind: 'sections', id });
    expect(tasks.edit(id, { priority: priority('1.0.0'), body: PLAN }).task.priority.major).toBe(1);
  });

  it('moves the task in every list', () => {
    const tasks = new OpenStore();
    for (const title of ['a', 'b']) tasks.add(title, { priority: '1.0.0', body: PLAN, tags: ['x'] });
    tasks.edit(2, { priority: priority('0.0.0') });
    tasks.edit(1, { priority: priority('3.0.0') });
    expect(tasks.ids()).toEqual([1, 2]);
    expect(tasks.ids({ tags: [['x']] })).toEqual([1, 2]);
    expect(tasks.ids({ tags: [['x']], priorities: [[3]] })).toEqual([1]);
    expect(tasks.ids({ priorities: [[0]] })).toEqual([2]);
  });
});

describe('to be done', () => {
  it('a major needs its outcome and finished parts', () => {
    const tasks = new OpenStore();
    const big = tasks.add('Big', { priority: '1.0.0', body: PLAN });
    const part = tasks.add('Part', { priority: '1.1.0' });
    expect(problemOf(() => tasks.done(big))).toMatchObject({
      kind: 'unfinished',
      sections: ['outcome', 'confidence', 'retrospective'],
      children: [{ id: part }],
    });
    tasks.done(part);
    expect(problemOf(() => tasks.done(big))).toMatchObject({ children: [] });
    const { task } = tasks.edit(big, { status: 'done', body: OUTCOME });
    expect(task).toMatchObject({ status: 'done', body: `${PLAN}\n${OUTCOME}` });
  });

  it('a minor needs finished parts', () => {
    const tasks = new OpenStore();
    tasks.add('Big', { priority: '1.0.0', body: PLAN });
    const minor = tasks.add('Part', { priority: '1.1.0' });
    const patch = tasks.add('Detail', { priority: '1.1.1' });
    expect(problemOf(() => tasks.done(minor))).toMatchObject({ sections: [], children: [{ id: patch }] });
    tasks.edit(patch, { status: 'cancelled' });
    expect(tasks.done(minor).task.status).toBe('done');
  });
});

describe('what a task comes after', () => {
  it('blocks it until the last of them is finished', () => {
    const tasks = new OpenStore();
    const [one, two, three] = ['a', 'b', 'c'].map((title) => tasks.add(title)) as [number, number, number];
    tasks.edit(three, { status: 'in_progress' });
    expect(tasks.edit(three, { after: { add: [one, two], remove: [] } }).task.status).toBe('blocked');
    expect(tasks.done(one).unblocked).toEqual([]);
    expect(tasks.edit(two, { status: 'cancelled' }).unblocked).toEqual([three]);
    expect(tasks.task(three)).toMatchObject({ status: 'open', version: 4 });
    expect(tasks.task(three).history[0]).toMatchObject({ field: 'status', old: 'blocked', new: 'open' });
  });

  it('can be taken back', () => {
    const tasks = new OpenStore();
    const [one, two] = [tasks.add('a'), tasks.add('b', { after: [1] })];
    const { task, unblocked } = tasks.edit(two, { after: { add: [], remove: [one] }, status: 'in_progress' });
    expect(task).toMatchObject({ status: 'in_progress', after: [] });
    expect(unblocked).toEqual([]);
    tasks.edit(two, { after: { add: [one], remove: [] } });
    expect(tasks.edit(two, { after: { add: [], remove: [one] } }).unblocked).toEqual([two]);
  });

  it('keeps the status from being forced', () => {
    const tasks = new OpenStore();
    tasks.add('a');
    const two = tasks.add('b', { after: [1] });
    for (const status of ['open', 'in_progress', 'done'] as const)
      expect(problemOf(() => tasks.edit(two, { status }))).toMatchObject({ kind: 'blocked', by: [{ id: 1 }] });
    expect(tasks.task(two).status).toBe('blocked');
  });
});

describe('a gated task', () => {
  const gated = () => {
    const agent = new OpenStore();
    const user = new OpenStore({ file: agent.file, caller: 'user' });
    return { agent, user, id: user.add('Deploy', { gated: true }) };
  };

  it('stays open when the agent finishes it, and waits for the user', () => {
    const { agent, user, id } = gated();
    expect(agent.done(id)).toMatchObject({ asked: 'done', task: { status: 'open', pending: 'done' } });
    expect(agent.done(id)).toMatchObject({ asked: 'done', changes: [] });
    expect(user.store.counts().waiting).toEqual([id]);
    expect(user.done(id)).toMatchObject({ asked: undefined, task: { status: 'done', pending: undefined } });
    expect(user.store.counts().waiting).toEqual([]);
    const changes = user.store
      .history(id, { first: 1, most: 40 })
      .entries.map(({ who, field, new: value }) => [who, field, value]);
    expect(changes).toEqual([
      ['user', 'pending', undefined],
      ['user', 'status', 'done'],
      ['agent', 'pending', 'done'],
      ['user', 'created', 'Deploy'],
    ]);
  });

  it('keeps what else the agent changed', () => {
    const { agent, id } = gated();
    agent.edit(id, { status: 'done', body: 'Deployed to staging.' });
    expect(agent.task(id)).toMatchObject({ status: 'open', body: 'Deployed to staging.' });
  });

  it('can only be freed by the user', () => {
    const { agent, user, id } = gated();
    expect(problemOf(() => agent.edit(id, { gated: false, status: 'done' }))).toMatchObject({ kind: 'gate' });
    user.edit(id, { gated: false });
    expect(agent.done(id).task.status).toBe('done');
  });

  it('is not cancelled by the agent either', () => {
    const { agent, user, id } = gated();
    expect(agent.edit(id, { status: 'cancelled' })).toMatchObject({ asked: 'cancelled', task: { status: 'open' } });
    expect(user.edit(id, { status: 'open' }).task.pending).toBeUndefined();
  });

  it('is checked before it waits for the user', () => {
    const { agent, user, id } = gated();
    user.edit(id, { after: { add: [user.add('First')], remove: [] } });
    expect(problemOf(() => agent.done(id))).toMatchObject({ kind: 'blocked' });
    expect(agent.edit(id, { status: 'cancelled' }).task).toMatchObject({ status: 'blocked', pending: 'cancelled' });
  });
});

describe('a new task', () => {
  it('is open, and keeps who made it', () => {
    const tasks = new OpenStore({ caller: 'user', now: () => new Date('2026-11-20T10:00:00Z') });
    const id = tasks.add('First', { body: 'What to do.', tags: ['ui', 'auth'], metadata: { a: [1] }, gated: true });
    expect(tasks.task(id)).toEqual({
      id: 1,
      title: 'First',
      blockers: [],
      parts: 0,
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

  it('can be written down for someone else', () => {
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
    expect(tasks.ids()).toEqual([1, 2]);
    expect(tasks.ids({ tags: [['ui']] })).toEqual([]);
  });
});

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
