import { type Database, openDatabase, type Value } from '@bae/store';
import { describe, expect, it, onTestFinished } from 'vitest';
import { OpenStore } from '../../test/open-store.ts';
import { ACTIVE_TASKS, STATUSES, type TaskFilter } from '../task.ts';
import { countTasks, readTask } from './read-tasks.ts';
import { listTasks } from './list-tasks.ts';
import { searchTasks } from './search-tasks.ts';
import { performInFile } from './task-database.ts';
import { all, runWork, type Work } from './task-place.ts';

/** Does work with the tables of tasks, and collects the plan of SQLite for each query. */
function explained(): { readonly run: <T>(work: Work<T>) => T; readonly steps: string[] } {
  const tasks = new OpenStore();
  tasks.add('First', { tags: ['auth'] });
  tasks.store.close();
  const database = openDatabase(tasks.file);
  onTestFinished(() => database.close());
  const steps: string[] = [];
  const explain = (sql: string, values: readonly Value[]): void => {
    // The rows of one page, by id, are few.
    if (sql.includes('FROM json_each(?)')) return;
    const plan = database.all(`EXPLAIN QUERY PLAN ${sql}`, ...values).map((row) => String(row['detail']));
    steps.push(...plan);
  };
  const rows: Pick<Database, 'all'> = {
    all: (sql, ...values) => {
      explain(sql, values);
      return database.all(sql, ...values);
    },
  };
  return { run: (work) => runWork(work, (request) => performInFile(rows, request)), steps };
}

/** Steps that read every task or tag, or sort their rows. The index of gates holds only the few that wait. */
function slowSteps(steps: readonly string[]): readonly string[] {
  const isScan = /^SCAN (?:task|tagged|task_tag|task_dep|task_audit)\b(?!.*task_by_gate)/;
  return steps.filter((step) => isScan.test(step) || step.includes('TEMP B-TREE'));
}

const FILTERS: Readonly<Record<string, Partial<TaskFilter>>> = {
  'of everything active': {},
  'of everything': { statuses: STATUSES },
  'of a status': { statuses: ['done'] },
  'of a tag': { tags: [['auth']] },
  'of two tags together': { tags: [['auth', 'ui']] },
  'of one tag or another': { tags: [['auth'], ['ui']] },
  'of a priority': { priorities: [[1]] },
  'of priorities and tags': { priorities: [[1], [2, 3]], tags: [['auth'], ['ui']] },
  'of a parent': { parents: [1] },
};

describe('no query grows with the number of tasks', () => {
  it.each(Object.entries(FILTERS))('in a list %s', (_what, filter) => {
    const { run, steps } = explained();
    run(listTasks({ filter: { ...ACTIVE_TASKS, ...filter }, first: 1, most: 40, staleBefore: new Date() }));
    expect(steps.length).toBeGreaterThan(0);
    expect(slowSteps(steps)).toEqual([]);
  });

  it('in a list of what is stale, but for sorting it', () => {
    const { run, steps } = explained();
    run(listTasks({ filter: { ...ACTIVE_TASKS, stale: true }, first: 1, most: 40, staleBefore: new Date() }));
    expect(slowSteps(steps).filter((step) => step.startsWith('SCAN'))).toEqual([]);
    expect(steps.join('\n')).toContain('SEARCH task USING INDEX task_by_activity (updated<?)');
  });

  it('at one task', () => {
    const { run, steps } = explained();
    run(readTask(1, 'id'));
    expect(steps.filter((step) => /^SCAN (task|task_tag|task_dep|task_audit)\b/.test(step))).toEqual([]);
  });

  it('for the counts', () => {
    const { run, steps } = explained();
    run(countTasks(new Date()));
    expect(slowSteps(steps)).toEqual([]);
  });

  it('in a search for words', () => {
    const { run, steps } = explained();
    run(searchTasks('first configurat', { first: 1, most: 40 }));
    expect(steps.filter((step) => /^SCAN task\b/.test(step))).toEqual([]);
  });

  it('would be overlooked without its index', () => {
    const { run, steps } = explained();
    run(all('SELECT id FROM task WHERE title = ? ORDER BY title', 'x'));
    expect(slowSteps(steps)).not.toEqual([]);
  });
});
