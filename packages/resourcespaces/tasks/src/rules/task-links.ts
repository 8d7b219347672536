import { loadTasks, readIds, readTask } from '../storage/read-tasks.ts';
import { findFirstTasks, findTitled } from '../storage/search-tasks.ts';
import { getStretch, all, type Work } from '../storage/task-place.ts';
import { getParentPriority, type Priority } from '../task-fields.ts';
import { TaskRuleError } from '../task-problem.ts';
import { ACTIVE, isFinished, type AfterChange, type Task, type TaskRef } from '../task.ts';

/** A task that gets a priority. */
export interface Prioritised {
  /** Undefined for a new task. */
  readonly id: number | undefined;
  readonly title: string;
  readonly priority: Priority;
}

/** A new dependency: a task, and the task that it has to wait for. */
interface Wait {
  readonly task: number;
  readonly waitsFor: number;
  /** The field that causes the dependency: for `parent`, the parent waits. */
  readonly field: 'after' | 'parent';
}

/** A task cannot be done before the tasks that it comes after, nor before its children. */
const WAITS_FOR = 'SELECT after AS id FROM task_dep WHERE task = ?1 UNION SELECT id FROM task WHERE parent = ?1';
const ADD_LINK = 'INSERT INTO task_dep (task, after) VALUES (?, ?) ON CONFLICT DO NOTHING';
const BY_PRIORITY = `
  SELECT id FROM task WHERE major = ? AND minor = ? AND patch = ? AND status NOT IN ('done', 'cancelled')
  AND id IS DISTINCT FROM ? ORDER BY id LIMIT 20`;
const MAJORS = `
  SELECT id FROM task WHERE place >= ? AND place < ? AND major > 0 AND minor = 0 AND patch = 0
  ORDER BY place, id LIMIT ?`;
const MOST_MAJORS = 20;
const MOST_TITLED = 20;
/** Number of tasks among which one with a similar title is looked for. */
const MOST_COMPARED = 500;

/** A task as a parameter names it. */
interface NamedTask {
  readonly ref: TaskRef;
  readonly field: 'after' | 'parent';
}

/**
 * Finds the id of a task by its title: the only one that is called so, or begins so. An unfinished task precedes
 * finished ones. An id is returned as it is.
 *
 * @throws TaskRuleError when there is none, or more than one
 */
export function* findNamedTask({ ref, field }: NamedTask): Work<number> {
  if (typeof ref === 'number') return ref;
  const titled = yield* findTitled(ref, MOST_TITLED);
  const exact = titled.filter(({ title }) => title.toLowerCase() === ref.toLowerCase());
  const group = exact.length > 0 ? exact : titled;
  const active = group.filter(({ status }) => !isFinished(status));
  const candidates = active.length > 0 ? active : group;
  if (candidates.length === 1) return candidates[0]!.id;
  const others = candidates.length > 0 ? [] : yield* findFirstTasks(MOST_COMPARED);
  throw new TaskRuleError({ kind: 'no-title', field, title: ref, candidates, others });
}

/** Finds the ids of tasks to wait for; a title with commas, which separate tasks too, is one if there is such a task. */
export function* findNamedTasks(refs: readonly TaskRef[]): Work<readonly number[]> {
  const whole = refs.join(', ');
  if (refs.length > 1 && refs.some((ref) => typeof ref === 'string')) {
    const [first] = yield* findTitled(whole, 1);
    if (first?.title.toLowerCase() === whole.toLowerCase()) return [first.id];
  }
  const ids: number[] = [];
  for (const ref of refs) ids.push(yield* findNamedTask({ ref, field: 'after' }));
  return ids;
}

/**
 * Finds the parent for a priority: the unfinished task 1.0.0 for 1.2.0; undefined for a major.
 *
 * @throws TaskRuleError when there is none, or more than one
 */
export function* findParentTask({ id, title, priority }: Prioritised): Work<number | undefined> {
  const wanted = getParentPriority(priority);
  if (wanted === undefined) return undefined;
  const { major, minor, patch } = wanted;
  const ids = yield* readIds(BY_PRIORITY, major, minor, patch, id ?? null);
  if (ids.length === 1) return ids[0];
  const candidates = yield* loadTasks(ids);
  const majors = yield* findMajors();
  throw new TaskRuleError({ kind: 'no-parent', id, title, priority, wanted, candidates, majors });
}

function* findMajors(): Work<readonly Task[]> {
  const ids: number[] = [];
  for (const { start, end } of ACTIVE.map((status) => getStretch(status)))
    ids.push(...(yield* readIds(MAJORS, start, end, MOST_MAJORS)));
  return yield* loadTasks(ids.slice(0, MOST_MAJORS));
}

/**
 * Checks that a task can have another part.
 *
 * @throws TaskRuleError when it does not exist, or is finished
 */
export function* checkParent(parent: number): Work<void> {
  const task = yield* readTask(parent, 'parent');
  if (isFinished(task.status)) throw new TaskRuleError({ kind: 'final', field: 'parent', sent: parent, task });
}

/**
 * Makes a task wait for some tasks, and stop waiting for others.
 *
 * @throws TaskRuleError when one of them does not exist, or the task would wait for itself
 */
export function* linkAfter(id: number, change: AfterChange): Work<void> {
  const [add, remove] = [yield* findNamedTasks(change.add), yield* findNamedTasks(change.remove)];
  for (const after of [...add, ...remove]) yield* readTask(after, 'after');
  for (const after of remove) yield* all('DELETE FROM task_dep WHERE task = ? AND after = ?', id, after);
  for (const after of add) yield* all(ADD_LINK, id, after);
  for (const after of add) yield* checkCycle({ task: id, waitsFor: after, field: 'after' });
}

/**
 * Checks that no task would wait for itself.
 *
 * @throws TaskRuleError with the cycle: 4, 7, 4
 */
export function* checkCycle({ task, waitsFor, field }: Wait): Work<void> {
  const cameFrom = new Map<number, number>([[waitsFor, task]]);
  const queue = [waitsFor];
  for (let next = queue.shift(); next !== undefined; next = queue.shift()) {
    if (next === task) throw new TaskRuleError({ kind: 'cycle', field, path: tracePath(task, cameFrom) });
    for (const id of yield* readIds(WAITS_FOR, next)) {
      if (cameFrom.has(id)) continue;
      cameFrom.set(id, next);
      queue.push(id);
    }
  }
}

function tracePath(task: number, cameFrom: ReadonlyMap<number, number>): readonly number[] {
  const path: number[] = [];
  for (let at = cameFrom.get(task); at !== undefined && at !== task; at = cameFrom.get(at)) path.unshift(at);
  return [task, ...path, task];
}
