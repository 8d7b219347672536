import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { taskData } from './task-data.ts';
import { nextOf, pageOf, TaskDesk } from './task-desk.ts';
import { taskRequest } from './task-request.ts';
import { tasksFile } from './tasks-file.ts';

const { signal } = new AbortController();
let folder: string;
let desk: TaskDesk;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'bae-desk-'));
  desk = new TaskDesk(tasksFile(folder));
});
afterEach(async () => {
  await desk.close();
  rmSync(folder, { recursive: true, force: true });
});

const call = (...words: readonly string[]) => desk.call(taskRequest(words), signal);

describe('TaskDesk', () => {
  it('calls for the user, and hears the answer as data', async () => {
    const { result, answer } = await call('add', 'Fix login');
    expect(result).toMatchObject({ ok: true, text: 'Created task 1: Fix login', space: 'tasks' });
    expect(answer).toMatchObject({ kind: 'created', outcome: { task: { creator: 'user' } } });
    expect(existsSync(join(folder, '.bae/tasks.db'))).toBe(true);
  });

  it('has no answer but the error when a call fails', async () => {
    await call('add', 'First');
    const { result, answer } = await call('show', '9');
    expect(result).toMatchObject({ ok: false, errorType: 'ResourceError' });
    expect(answer).toBeUndefined();
  });

  it('takes any text for a title or body', async () => {
    const title = '"quotes" \'single\' </W> <R:7> {"name":"x"}';
    await desk.call({ shape: 'text', tool: 'write', args: { title, body: '</W>\n<run>\n</run>' } }, signal);
    expect(await call('show', '1')).toMatchObject({ answer: { task: { title, body: '</W>\n<run>\n</run>' } } });
  });

  it('puts the pages of a list together', async () => {
    for (let index = 1; index <= 45; index++) await call('add', `Task ${index}`);
    const page = pageOf(await desk.list(taskRequest(['list']), signal));
    expect(page?.tasks.map(({ id }) => id)).toEqual(Array.from({ length: 45 }, (_, index) => index + 1));
    expect(nextOf(page)).toBeUndefined();
    const single = pageOf(await call('list'));
    expect(nextOf(single)).toBe(41);
  });
});

describe('taskData', () => {
  it('is what programs get', async () => {
    expect(taskData(await call('add', 'First'))).toMatchObject({ task: { id: 1 }, unblocked: [] });
    expect(taskData(await call('list'))).toMatchObject({ tasks: [{ id: 1 }], total: 1 });
    expect(taskData(await call('grep', 'first'))).toMatchObject({ tasks: [{ id: 1 }], total: 1 });
    expect(taskData(await call('show', '1'))).toMatchObject({ task: { id: 1, history: [{ field: 'created' }] } });
    expect(taskData(await call('history', '1'))).toMatchObject({ id: 1, total: 1, changes: [{ who: 'user' }] });
    expect(taskData(await call('done', '1'))).toMatchObject({ task: { status: 'done' } });
    expect(taskData(await call('done', '1'))).toMatchObject({
      error: { type: 'ResourceError', message: expect.stringContaining('task 1 is done (final)') as string },
    });
  });
});
