import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { openDatabase } from '@bae/store';
import { TaskClient, type HistoryPage, type TaskDetail, type TaskResult } from '@bae/tasks';
import { describe, expect, it } from 'vitest';
import { scratchFolder } from './scratch-folder.ts';

const EDITORS = ['a', 'b'];
const EDITS = 1000;
const TASKS = 4;
const KILLS = 25;

/** Lets processes edit the same tasks at once; tells the failures of each. */
async function editAtOnce(file: string): Promise<readonly unknown[]> {
  const script = join(import.meta.dirname, 'processes/edit-tasks.ts');
  const editors = EDITORS.map((name) => {
    const child = spawn(process.execPath, [script, file, name, String(EDITS), String(TASKS)], {
      stdio: ['pipe', 'pipe', 'inherit'],
    });
    const editor = { child, said: '', ready: once(child.stdout, 'data'), closed: once(child, 'close') };
    child.stdout.setEncoding('utf8').on('data', (text: string) => (editor.said += text));
    return editor;
  });
  await Promise.all(editors.map(({ ready }) => ready));
  for (const { child } of editors) child.stdin.end('go');
  await Promise.all(editors.map(({ closed }) => closed));
  return editors.map(({ said }) => JSON.parse(said.trim().split('\n').at(-1)!) as unknown);
}

async function readTask(client: TaskClient, id: number): Promise<TaskDetail> {
  const result = await client.call('read', { target: String(id) });
  return (result as Extract<TaskResult, { kind: 'task' }>).task;
}

/** All changes of a task, oldest first. */
async function readHistory(client: TaskClient, id: number): Promise<HistoryPage['entries']> {
  const result = await client.call('read', { target: `history:${id}` }, 1_000_000);
  return (result as Extract<TaskResult, { kind: 'history' }>).page.entries.toReversed();
}

/** A task has every tag it was given, a version for each, and a history in which each change follows the one before. */
async function expectWhole(client: TaskClient, id: number): Promise<readonly string[]> {
  const { tags, version } = await readTask(client, id);
  expect(version).toBe(1 + tags.length);
  const [created, ...changes] = await readHistory(client, id);
  expect(created).toMatchObject({ field: 'created' });
  expect(changes).toHaveLength(tags.length);
  for (const [index, change] of changes.entries()) {
    expect(change.old).toBe(changes[index - 1]?.new);
    expect(change.time.getTime()).toBeGreaterThanOrEqual(changes[index - 1]?.time.getTime() ?? 0);
  }
  expect(changes.at(-1)?.new).toBe(tags.length === 0 ? undefined : tags.join(', '));
  return tags;
}

function expectSound(file: string): void {
  const database = openDatabase(file);
  expect(database.all('PRAGMA integrity_check')).toEqual([{ integrity_check: 'ok' }]);
  for (const index of ['task_words', 'task_stems'])
    database.execute(`INSERT INTO ${index} (${index}) VALUES ('integrity-check')`);
  database.close();
}

describe('two processes that edit the same tasks', () => {
  it('lose no change, never fail, and leave a complete history in order', async () => {
    const file = join(scratchFolder(), 'new/tasks.db');
    const client = new TaskClient({ file, caller: 'user' });
    for (let id = 1; id <= TASKS; id++) await client.call('write', { title: `Task ${id}` });
    expect(await editAtOnce(file)).toEqual(EDITORS.map(() => []));
    for (let id = 1; id <= TASKS; id++) {
      const edits = Array.from({ length: EDITS }, (_, index) => index + 1).filter((edit) => 1 + (edit % TASKS) === id);
      const tags = EDITORS.flatMap((name) => edits.map((edit) => `${name}${edit}`)).toSorted();
      expect(await expectWhole(client, id)).toEqual(tags);
    }
    await client.close();
    expectSound(file);
  });
});

describe('a process that is killed while it edits tasks', () => {
  it('has done what it said, and nothing by halves', async () => {
    const file = join(scratchFolder(), 'tasks.db');
    const client = new TaskClient({ file, caller: 'user' });
    for (let id = 1; id <= TASKS; id++) await client.call('write', { title: `Task ${id}` });
    const told: string[] = [];
    for (let round = 1; round <= KILLS; round++) told.push(...(await editUntilKilled(file, `r${round}e`)));
    const tags: string[] = [];
    for (let id = 1; id <= TASKS; id++) tags.push(...(await expectWhole(client, id)));
    expect(told.filter((tag) => !tags.includes(tag))).toEqual([]);
    // What was on disk and not yet told is at most one edit a round.
    expect(tags.length - told.length).toBeLessThanOrEqual(KILLS);
    expect(told.length).toBeGreaterThan(KILLS);
    await client.close();
    expectSound(file);
  });
});

/** Edits until the process is killed at some moment; the tags that it said were safe. */
async function editUntilKilled(file: string, name: string): Promise<readonly string[]> {
  const script = join(import.meta.dirname, 'processes/edit-tasks.ts');
  const child = spawn(process.execPath, [script, file, name, '1000000', String(TASKS)], {
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  let said = '';
  const begun = new Promise<void>((resolve) => {
    child.stdout.setEncoding('utf8').on('data', (text: string) => {
      said += text;
      if (said.includes('done ')) resolve();
    });
  });
  const closed = once(child, 'close');
  child.stdin.on('error', () => undefined).write('go');
  await begun;
  await new Promise((resolve) => setTimeout(resolve, Math.random() * 60));
  child.kill('SIGKILL');
  await closed;
  // A line that was cut off was not heard.
  return said
    .split('\n')
    .slice(0, -1)
    .flatMap((line) => (line.startsWith('done ') ? [line.slice('done '.length)] : []));
}
