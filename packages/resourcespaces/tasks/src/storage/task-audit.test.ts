import { openDatabase } from '@bae/store';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { OpenStore } from '../../test/open-store.ts';
import { clockAt, PLAN } from '../../test/open-tasks.ts';
import type { AuditEntry, TaskEdit } from '../task.ts';
import { TaskRuleError } from '../task-problem.ts';

/** All changes of a task, oldest first. */
function changesOf(tasks: OpenStore, id: number): readonly AuditEntry[] {
  const entries: AuditEntry[] = [];
  while (entries.length < tasks.task(id).changes)
    entries.push(...tasks.store.history(id, { first: entries.length + 1, most: 40 }).entries);
  return entries.toReversed();
}

describe('the audit', () => {
  it('has time, author, field, and both values', () => {
    const clock = clockAt('2026-11-20T10:00:00Z');
    const agent = new OpenStore({ now: clock.now });
    const user = new OpenStore({ file: agent.file, caller: 'user', now: clock.now });
    const id = agent.add('First');
    clock.set('2026-11-20T11:00:00Z');
    user.edit(id, { title: 'Second', priority: { major: 0, minor: 0, patch: 0 } });
    expect(changesOf(agent, id)).toEqual([
      { time: new Date('2026-11-20T10:00:00Z'), who: 'agent', field: 'created', old: undefined, new: 'First' },
      { time: new Date('2026-11-20T11:00:00Z'), who: 'user', field: 'title', old: 'First', new: 'Second' },
    ]);
  });

  it.each([
    [{ title: 'x' }, 'title', 'Task', 'x'],
    [{ body: 'x' }, 'body', 'text', 'x'],
    [{ status: 'in_progress' }, 'status', 'open', 'in_progress'],
    [{ priority: { major: 1, minor: 2, patch: 0 }, parent: 1 }, 'priority', '0.0.0', '1.2.0'],
    [{ tags: { kind: 'set', tags: ['b', 'a'] } }, 'tags', 'auth', 'a, b'],
    [{ tags: { kind: 'set', tags: [] } }, 'tags', 'auth', undefined],
    [{ parent: 3 }, 'parent', '1', '3'],
    [{ parent: 'none' }, 'parent', '1', undefined],
    [{ after: { add: [3], remove: [] } }, 'after', undefined, '3'],
    [{ gated: true }, 'gated', 'false', 'true'],
    [{ metadata: { a: 1 } }, 'metadata', '{}', '{"a":1}'],
  ] as const)('has a row for %j', (edit, field, old, value) => {
    const tasks = new OpenStore();
    tasks.add('Whole');
    const id = tasks.add('Task', { body: 'text', tags: ['auth'], parent: 1 });
    tasks.add('Other');
    tasks.edit(id, edit);
    expect(changesOf(tasks, id)).toContainEqual(expect.objectContaining({ field, old, new: value }));
  });

  it('has a row for what follows from another task', () => {
    const tasks = new OpenStore();
    tasks.add('First');
    tasks.add('Second', { after: [1] });
    tasks.done(1);
    expect(changesOf(tasks, 2).at(-1)).toMatchObject({ field: 'status', old: 'blocked', new: 'open', who: 'agent' });
  });

  const rebuildTasks = (numRuns: number) => {
    const id = fc.integer({ min: 1, max: 4 });
    const edit: fc.Arbitrary<TaskEdit> = fc.record(
      {
        title: fc.constantFrom('a', 'b'),
        body: fc.constantFrom('', 'text', PLAN),
        status: fc.constantFrom('open', 'in_progress', 'done', 'cancelled'),
        tags: fc.record({ kind: fc.constant('set' as const), tags: fc.subarray(['x', 'y']) }),
        after: fc.record({ add: fc.array(id, { maxLength: 2 }), remove: fc.array(id, { maxLength: 1 }) }),
        gated: fc.boolean(),
      },
      { requiredKeys: [] },
    );
    const step = fc.record({ id, edit, isUser: fc.boolean() });
    fc.assert(
      fc.property(fc.array(step, { maxLength: 25 }), (steps) => {
        const agent = new OpenStore();
        const user = new OpenStore({ file: agent.file, caller: 'user' });
        for (let number = 1; number <= 4; number++) agent.add(`Task ${number}`);
        for (const one of steps) attempt(() => (one.isUser ? user : agent).edit(one.id, one.edit));
        for (let number = 1; number <= 4; number++) expectAuditComplete(agent, number);
        for (const { store } of [agent, user]) store.close();
      }),
      { numRuns },
    );
  };

  it('is enough to rebuild any task', () => rebuildTasks(8));
  it('is enough to rebuild any task, 40 times', { tags: ['long'] }, () => rebuildTasks(40));

  it('keeps its entries even when all of a task is read at once', () => {
    const tasks = new OpenStore();
    const id = tasks.add('Task 0');
    for (let edit = 1; edit <= 100; edit++) tasks.edit(id, { title: `Task ${edit}` });
    const titles = changesOf(tasks, id).map((change) => change.new);
    expect(titles).toEqual(Array.from({ length: 101 }, (_, index) => `Task ${index}`));
    const database = openDatabase(tasks.file);
    expect(database.get('SELECT count(*) AS count FROM task_audit')).toEqual({ count: 101 });
    database.close();
  });
});

/** The last row of a field has its value; each row begins where the row before it ended. */
function expectAuditComplete(tasks: OpenStore, id: number): void {
  const task = tasks.task(id);
  const last = new Map<string, string | undefined>([
    ['title', `Task ${id}`],
    ['body', ''],
    ['status', 'open'],
    ['gated', 'false'],
  ]);
  for (const { field, old, new: value } of changesOf(tasks, id).slice(1)) {
    expect([field, old]).toEqual([field, last.get(field)]);
    last.set(field, value);
  }
  const listed = (items: readonly (string | number)[]) => (items.length === 0 ? undefined : items.join(', '));
  expect(last.get('title')).toBe(task.title);
  expect(last.get('body')).toBe(task.body);
  expect(last.get('status')).toBe(task.status);
  expect(last.get('tags')).toBe(listed(task.tags));
  expect(last.get('after')).toBe(listed(task.after.map((other) => other.id)));
  expect(last.get('gated')).toBe(String(task.gated));
  expect(last.get('pending')).toBe(task.pending);
}

function attempt(work: () => unknown): void {
  try {
    work();
  } catch (error) {
    if (!(error instanceof TaskRuleError)) throw error;
  }
}
