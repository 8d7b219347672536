import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { OpenStore } from '../test/open-store.ts';
import { TaskRuleError } from './task-problem.ts';
import { isFinished, type SettableStatus, type Status, STATUSES } from './task.ts';

/** The rules of statuses and links in a few lines, without a database. */
class TaskModel {
  readonly status = new Map<number, Status>();
  readonly after = new Map<number, Set<number>>();
  readonly parent = new Map<number, number>();

  constructor(count: number) {
    for (let id = 1; id <= count; id++) {
      this.status.set(id, 'open');
      this.after.set(id, new Set());
    }
  }

  /** True when it was done. */
  link(id: number, other: number): boolean {
    if (isFinished(this.status.get(id)!) || this.#waitsFor(other, id)) return false;
    this.after.get(id)!.add(other);
    this.#settle();
    return true;
  }

  unlink(id: number, other: number): boolean {
    if (isFinished(this.status.get(id)!)) return false;
    this.after.get(id)!.delete(other);
    this.#settle();
    return true;
  }

  adopt(id: number, parent: number): boolean {
    if (isFinished(this.status.get(id)!)) return false;
    if (this.parent.get(id) === parent) return true;
    if (isFinished(this.status.get(parent)!) || this.#waitsFor(id, parent)) return false;
    this.parent.set(id, parent);
    return true;
  }

  set(id: number, wanted: SettableStatus): boolean {
    const status = this.status.get(id)!;
    const hasOpenPart = [...this.parent].some(([part, whole]) => whole === id && !isFinished(this.status.get(part)!));
    if (isFinished(status)) return false;
    if (wanted !== 'cancelled' && status === 'blocked') return false;
    if (wanted === 'done' && hasOpenPart) return false;
    this.status.set(id, wanted);
    this.#settle();
    return true;
  }

  /** True when a task cannot be finished before another. */
  #waitsFor(id: number, other: number, seen = new Set<number>()): boolean {
    if (id === other) return true;
    if (seen.has(id)) return false;
    seen.add(id);
    const parts = [...this.parent].flatMap(([part, whole]) => (whole === id ? [part] : []));
    return [...this.after.get(id)!, ...parts].some((next) => this.#waitsFor(next, other, seen));
  }

  #settle(): void {
    for (const [id, status] of this.status) {
      if (isFinished(status)) continue;
      const isBlocked = [...this.after.get(id)!].some((other) => !isFinished(this.status.get(other)!));
      if (isBlocked) this.status.set(id, 'blocked');
      else if (status === 'blocked') this.status.set(id, 'open');
    }
  }
}

const COUNT = 6;

describe('a store of tasks', () => {
  const compareWithLines = (numRuns: number) => {
    const id = fc.integer({ min: 1, max: COUNT });
    const step = fc.oneof(
      fc.record({ kind: fc.constant('link' as const), id, other: id }),
      fc.record({ kind: fc.constant('unlink' as const), id, other: id }),
      fc.record({ kind: fc.constant('adopt' as const), id, other: id }),
      fc.record({
        kind: fc.constant('set' as const),
        id,
        other: id,
        wanted: fc.constantFrom<SettableStatus>('open', 'in_progress', 'done', 'cancelled'),
      }),
    );
    fc.assert(
      fc.property(fc.array(step, { maxLength: 40 }), (steps) => {
        const tasks = new OpenStore();
        const model = new TaskModel(COUNT);
        for (let number = 1; number <= COUNT; number++) tasks.add(`Task ${number}`);
        for (const one of steps) {
          const [expected, edit] = {
            link: () => [model.link(one.id, one.other), { after: { add: [one.other], remove: [] } }] as const,
            unlink: () => [model.unlink(one.id, one.other), { after: { add: [], remove: [one.other] } }] as const,
            adopt: () => [model.adopt(one.id, one.other), { parent: one.other }] as const,
            set: () =>
              'wanted' in one
                ? ([model.set(one.id, one.wanted), { status: one.wanted }] as const)
                : ([false, {}] as const),
          }[one.kind]();
          expect(succeeds(() => tasks.edit(one.id, edit))).toBe(expected);
        }
        for (let number = 1; number <= COUNT; number++) {
          const { status, parent, after } = tasks.task(number);
          expect({ status, parent }).toEqual({ status: model.status.get(number), parent: model.parent.get(number) });
          expect(after.map((other) => other.id)).toEqual(
            [...model.after.get(number)!].toSorted((left, right) => left - right),
          );
        }
        tasks.store.close();
      }),
      { numRuns },
    );
  };

  it('does what a few lines without a database do', () => compareWithLines(8));
  it('does what a few lines without a database do, 60 times', { tags: ['long'] }, () => compareWithLines(60));

  it('serves two at once over one file', () => {
    const one = new OpenStore();
    const other = new OpenStore({ file: one.file, caller: 'user' });
    for (let round = 0; round < 20; round++) {
      one.add(`Task ${round}`);
      other.edit(round + 1, { tags: { kind: 'change', add: ['seen'], remove: [] } });
      one.edit(round + 1, { tags: { kind: 'change', add: ['twice'], remove: [] } });
    }
    expect(one.ids({ tags: [['seen', 'twice']] })).toHaveLength(20);
    expect(other.ids({ statuses: STATUSES })).toEqual(one.ids({ statuses: STATUSES }));
  });

  it('previews an edit without making it', () => {
    const tasks = new OpenStore();
    tasks.add('First');
    tasks.add('Second', { after: [1] });
    const preview = tasks.store.preview({ id: 1, edit: { status: 'done' } });
    expect(preview).toMatchObject({ unblocked: [2], changes: [{ field: 'status', old: 'open', new: 'done' }] });
    expect(tasks.task(1)).toMatchObject({ status: 'open', version: 1, changes: 1 });
    expect(tasks.task(2).status).toBe('blocked');
  });
});

function succeeds(work: () => unknown): boolean {
  try {
    work();
    return true;
  } catch (error) {
    if (error instanceof TaskRuleError) return false;
    throw error;
  }
}
