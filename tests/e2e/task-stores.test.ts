import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openPostgres } from '@bae/store-postgres';
import { startTestServer, type TestServer } from '@bae/store-postgres/testing';
import { TaskClient, tasksTables, type TaskDetail, type TaskOutcome, type TasksOptions } from '@bae/tasks';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';

let server: TestServer;
beforeAll(async () => void (server = await startTestServer()));
afterAll(() => server?.end());

/** Opens the tasks of one place as often as it is called. */
type OpenTasks = (caller?: TasksOptions['caller'], list?: string) => Promise<Tasks>;

const PLACES: Readonly<Record<string, () => Promise<OpenTasks>>> = {
  'a file': async () => {
    const folder = mkdtempSync(join(tmpdir(), 'bae-tasks-'));
    onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
    return async (caller = 'agent', list = 'tasks') => new Tasks({ file: join(folder, `${list}.db`), caller });
  },
  PostgreSQL: async () => {
    const url = await server.createDatabase();
    return async (caller = 'agent', list = 'tasks') => {
      const postgres = await openPostgres({ url, most: 4 });
      onTestFinished(() => postgres.close());
      return new Tasks({ database: await postgres.openTables(tasksTables(list)), caller });
    };
  },
};

/** Short ways to call the tools of tasks. */
class Tasks {
  readonly #client: TaskClient;

  constructor(options: TasksOptions) {
    const client = new TaskClient(options);
    this.#client = client;
    onTestFinished(async () => client.close());
  }

  async add(title: string, fields: Readonly<Record<string, string>> = {}): Promise<TaskDetail> {
    const result = await this.#client.call('write', { title, ...fields });
    return (result as { readonly outcome: TaskOutcome }).outcome.task;
  }

  async edit(id: number, fields: Readonly<Record<string, string>>): Promise<TaskOutcome> {
    const result = await this.#client.call('edit', { id: String(id), ...fields });
    return (result as { readonly outcome: TaskOutcome }).outcome;
  }

  async show(id: number): Promise<TaskDetail> {
    return ((await this.#client.call('read', { target: String(id) })) as { readonly task: TaskDetail }).task;
  }

  /** Ids of a list, of a search, or of titles. */
  async ids(tool: 'read' | 'grep' | 'glob', text = ''): Promise<readonly number[]> {
    const name = { read: 'target', grep: 'text', glob: 'pattern' }[tool];
    const result = await this.#client.call(tool, { [name]: text });
    return (result as unknown as { readonly page: { readonly tasks: readonly TaskDetail[] } }).page.tasks.map(
      ({ id }) => id,
    );
  }

  async text(target: string): Promise<string> {
    return this.#client.render(await this.#client.call('read', { target }));
  }
}

describe.each(Object.entries(PLACES))('tasks in %s', (_, makePlace) => {
  it('have nothing to look at before the first, and no task to edit', async () => {
    const open = await makePlace();
    const tasks = await open();
    expect(await tasks.ids('read')).toEqual([]);
    await expect(tasks.edit(1, { status: 'done' })).rejects.toThrow('no task 1. There are none yet.');
    expect((await tasks.add('First')).id).toBe(1);
  });

  it('are listed by status, priority and id, and filtered by tag, parent and status', async () => {
    const tasks = await (await makePlace())();
    await tasks.add('plain');
    await tasks.add('tagged', { tags: 'ui, auth' });
    await tasks.add('waits', { after: '1', tags: 'ui' });
    await tasks.add('runs');
    await tasks.edit(4, { status: 'in_progress' });
    await tasks.add('part', { parent: '2' });
    await tasks.edit(5, { status: 'done' });
    expect(await tasks.ids('read')).toEqual([4, 1, 2, 3]);
    expect(await tasks.ids('read', 'tag:ui')).toEqual([2, 3]);
    expect(await tasks.ids('read', 'tag:ui+auth')).toEqual([2]);
    expect(await tasks.ids('read', 'all')).toEqual([4, 1, 2, 3, 5]);
    expect(await tasks.ids('read', 'parent:2 all')).toEqual([5]);
    expect(await tasks.ids('read', 'ready')).toEqual(expect.arrayContaining([1, 2]));
  });

  it('open what they held up, keep their history, and refuse circles', async () => {
    const tasks = await (await makePlace())();
    await tasks.add('first');
    await tasks.add('second', { after: '1' });
    expect((await tasks.show(2)).status).toBe('blocked');
    await expect(tasks.edit(1, { after: '+2' })).rejects.toThrow('cycle: 1 -> 2 -> 1');
    expect((await tasks.edit(1, { status: 'done' })).unblocked).toEqual([2]);
    const second = await tasks.show(2);
    expect([second.status, second.version, second.after.map(({ id }) => id)]).toEqual(['open', 2, [1]]);
    expect(second.history.map(({ field, old, new: value }) => [field, old, value])).toEqual([
      ['status', 'blocked', 'open'],
      ['created', undefined, 'second'],
    ]);
    expect(await tasks.text('2')).toContain('second');
    await expect(tasks.edit(2, { version: '1', title: 'x' })).rejects.toThrow('version 2, not 1');
  });

  it('are found by words in any inflection, by beginnings and parts, without case and accents', async () => {
    const tasks = await (await makePlace())();
    await tasks.add('Configuring the Café login', { body: 'See src/login-form.ts and C++' });
    await tasks.add('Other', { body: 'the login is configured here, 100%_' });
    expect(await tasks.ids('grep', 'configured login')).toEqual([1, 2]);
    expect(await tasks.ids('grep', 'cafe')).toEqual([1]);
    expect(await tasks.ids('grep', 'conf')).toEqual([1, 2]);
    expect(await tasks.ids('grep', 'login-form')).toEqual([1]);
    expect(await tasks.ids('grep', 'C++')).toEqual([1]);
    expect(await tasks.ids('grep', '0%_')).toEqual([2]);
    expect(await tasks.ids('grep', `a' OR 1=1 -- & | ! :* "x"`)).toEqual([]);
    expect(await tasks.ids('glob', '*LOGIN*')).toEqual([1]);
    await tasks.edit(1, { title: 'Renamed' });
    expect(await tasks.ids('glob', '*login*')).toEqual([]);
    expect(await tasks.ids('grep', 'renamed')).toEqual([1]);
  });

  it('have a gate that only the user opens', async () => {
    const open = await makePlace();
    const [agent, user] = [await open(), await open('user')];
    await user.add('Release', { gated: 'true' });
    expect((await agent.edit(1, { status: 'done' })).asked).toBe('done');
    expect((await agent.show(1)).status).toBe('open');
    expect(await user.edit(1, { status: 'done' })).toMatchObject({ task: { status: 'done' } });
  });

  it('get numbers of their own and lose no edit, when many write at once', async () => {
    const open = await makePlace();
    const all = [await open(), await open(), await open()];
    const added = await Promise.all(Array.from({ length: 15 }, (_, n) => all[n % 3]!.add(`Task ${n}`)));
    expect(new Set(added.map(({ id }) => id)).size).toBe(15);
    await Promise.all(Array.from({ length: 15 }, (_, n) => all[n % 3]!.edit(added[0]!.id, { tags: `+t${n}` })));
    expect(await all[0]!.show(added[0]!.id)).toMatchObject({ version: 16, changes: 16 });
  });

  it('are those of one list', async () => {
    const open = await makePlace();
    const [one, other] = [await open('agent', 'one'), await open('agent', 'other')];
    expect((await one.add('Mine')).id).toBe(1);
    expect((await other.add('Theirs')).id).toBe(1);
    expect((await one.show(1)).title).toBe('Mine');
  });

  it('keep any text', async () => {
    const tasks = await (await makePlace())();
    const body = `a ' "; DROP TABLE task; -- 😀 \\ % _ $1 ?1 ${'x'.repeat(20_000)}`;
    await tasks.add(`'"; $1 ? --`, { body, tags: 'größe' });
    expect(await tasks.show(1)).toMatchObject({ title: `'"; $1 ? --`, body, tags: ['größe'] });
  });
});
