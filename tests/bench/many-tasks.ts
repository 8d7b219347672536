import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { allowAll, asModelText, createAgent, type Agent } from '@bae/core';
import { openDatabase, runTransaction } from '@bae/store';
import { provideTasks, TasksSpace } from '@bae/tasks';

/** An agent in a space with many tasks. */
export interface ManyTasks extends AsyncDisposable {
  readonly agent: Agent;
}

const WORDS = 'alpha beta gamma export function return login value index result error handle stream buffer'.split(' ');
const TAGS = ['auth', 'ui', 'storage', 'docs'];
/** Places of in_progress, open and done, as the space keeps them. */
const STATUSES = [['in_progress', '0'], ['open', '2'], ['done', '3']] as const; // prettier-ignore
const INSERT = `
  INSERT INTO task (id, title, folded, body, status, major, minor, patch, place, parent, creator, gated, created, updated, version, metadata)
  VALUES (?, ?, ?, ?, ?, ?, 0, 0, ?, ?, 'agent', 0, ?, ?, 1, '{}')`;
/** Every store has so many tasks with the rare word and the rare tag. */
const RARE = 20;

/** As many tasks as wanted; written by SQL, because as many calls would take minutes. */
export async function manyTasks(count: number): Promise<ManyTasks> {
  const folder = mkdtempSync(join(tmpdir(), 'bae-bench-tasks-'));
  const file = join(folder, 'tasks.db');
  const agent = createAgent({
    spaces: [TasksSpace],
    provide: [provideTasks({ file, caller: 'agent' })],
    approver: allowAll,
  });
  await agent.run(asModelText('@tasks()'));
  await agent.run(asModelText('<W:The first task></W>'));
  fill(file, count);
  return {
    agent,
    [Symbol.asyncDispose]: async () => {
      await agent.close();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

function fill(file: string, count: number): void {
  const database = openDatabase(file);
  const now = Date.now();
  const everyRare = Math.floor(count / RARE);
  runTransaction(database, () => {
    for (let id = 2; id <= count; id++) {
      const [status, rank] = STATUSES[id % STATUSES.length]!;
      const major = 1 + ((id * 7919) % 50);
      const place = `${rank} ${String(major).padStart(6, '0')}.000000.000000`;
      const isRare = id % everyRare === 0;
      const title = `Task number ${id} ${WORDS[id % WORDS.length]}`;
      const words = Array.from({ length: 20 }, (_, index) => WORDS[(id * 31 + index * 17) % WORDS.length]);
      const body = [...words, ...(isRare ? ['needle'] : [])].join(' ');
      const values = [id, title, title.toLowerCase(), body, status, major, place, isRare ? 1 : null, now, now];
      database.run(INSERT, ...values);
      const tag = isRare ? 'rare' : TAGS[id % TAGS.length]!;
      database.run('INSERT INTO task_tag (tag, place, task) VALUES (?, ?, ?)', tag, place, id);
    }
  });
  database.close();
}
