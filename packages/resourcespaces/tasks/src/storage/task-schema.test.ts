import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openDatabase } from '@bae/store';
import { describe, expect, it, onTestFinished } from 'vitest';
import { openTaskStore } from '../task-store.ts';
import { ACTIVE_TASKS } from '../task.ts';
import { SCHEMA } from './task-schema.ts';

const COLUMNS =
  'id, title, folded, body, status, major, minor, patch, place, creator, gated, created, updated, version, metadata';

describe('a file of an earlier version', () => {
  it('has the same tasks: blocked ones behind open ones, and parents behind what can be started', () => {
    const folder = mkdtempSync(join(tmpdir(), 'bae-tasks-'));
    onTestFinished(() => rmSync(folder, { recursive: true }));
    const file = join(folder, 'tasks.db');
    const old = openDatabase(file, { steps: SCHEMA.slice(0, 1) });
    const insert = `INSERT INTO task (${COLUMNS}) VALUES (?, ?, '', '', ?, 0, 0, 0, ?, 'agent', 0, 0, 0, 1, '{}')`;
    old.run(insert, 1, 'blocked', 'blocked', '1 ~');
    old.run(insert, 2, 'open', 'open', '2 ~');
    old.run(insert, 3, 'running', 'in_progress', '0 ~');
    old.run(insert, 4, 'parent', 'open', '2 000001');
    old.run('UPDATE task SET parent = 4 WHERE id = 1');
    old.run(insert, 5, 'other parent', 'open', '2 000002');
    old.run(insert, 6, 'part', 'open', '2 000003');
    old.run('UPDATE task SET parent = 5 WHERE id = 6');
    old.run("INSERT INTO task_tag (tag, place, task) VALUES ('x', '1 ~', 1), ('x', '2 ~', 2)");
    old.close();
    const store = openTaskStore({ file, caller: 'agent' });
    const list = (tags: readonly (readonly string[])[]) =>
      store.list({ ...ACTIVE_TASKS, tags }, { first: 1, most: 9 }).tasks.map(({ title }) => title);
    expect(list([])).toEqual(['running', 'part', 'open', 'parent', 'other parent', 'blocked']);
    expect(list([['x']])).toEqual(['open', 'blocked']);
    store.close();
  });
});
