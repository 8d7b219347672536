import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { openDatabase } from '@bae/store';
import { describe, expect, it } from 'vitest';
import { OpenStore, problemOf } from '../../test/open-store.ts';
import { newFile, openTasks } from '../../test/open-tasks.ts';
import { TaskDatabase } from './task-database.ts';

describe('the file of tasks', () => {
  it('is made by the first task, not by a look', () => {
    const tasks = new OpenStore();
    tasks.ids();
    problemOf(() => tasks.done(1));
    problemOf(() => tasks.store.preview({ id: 1, edit: { title: 'x' } }));
    expect(tasks.store.counts()).toEqual({ open: 0, in_progress: 0, blocked: 0, stale: 0, waiting: [] });
    expect(existsSync(tasks.file)).toBe(false);
    tasks.add('First');
    expect(existsSync(tasks.file)).toBe(true);
  });

  it('is found by a session that looked before there was one', () => {
    const early = new OpenStore();
    expect(early.ids()).toEqual([]);
    new OpenStore({ file: early.file }).add('First');
    expect(early.ids()).toEqual([1]);
  });

  it('can be used again after it was closed', () => {
    const tasks = new OpenStore();
    tasks.add('First');
    tasks.store.close();
    tasks.store.close();
    expect(tasks.ids()).toEqual([1]);
  });

  it('is left as it is when it is something else', async () => {
    const file = newFile();
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, 'not a database at all, '.repeat(100));
    const { say, agent } = await openTasks({ file });
    const refusal = `StoreError: ${file}: it is no database, and was left as it is.\nTry: move it away`;
    expect(await say('<W:First></W>')).toBe(refusal);
    expect(await say('<R:>')).toBe(refusal);
    expect(await agent.describe([])).toContain('status unavailable: StoreError');
    expect(readFileSync(file, 'utf8')).toMatch(/^not a database/);
  });

  it('is refused when a newer bae made it', async () => {
    const file = newFile();
    const database = openDatabase(file);
    database.execute('PRAGMA user_version = 99');
    database.close();
    const { say } = await openTasks({ file });
    expect(await say('<R:>')).toMatch(/^StoreError: .* made by a newer bae .*\nTry: update bae$/);
  });

  it('keeps nothing of what is tried out, nor of what fails', () => {
    const database = new TaskDatabase(newFile());
    const count = () => database.read((rows) => rows.get('SELECT count(*) AS count FROM sample')?.['count']);
    database.write((writable) => writable.execute('CREATE TABLE sample (x) STRICT'.replace('(x)', '(x INTEGER)')));
    database.tryOut((writable) => writable.run('INSERT INTO sample VALUES (1)'));
    expect(() =>
      database.write((writable) => {
        writable.run('INSERT INTO sample VALUES (2)');
        throw new Error('no');
      }),
    ).toThrow('no');
    expect(() => database.tryOut(() => problemWith())).toThrow('no');
    expect(count()).toBe(0);
    database.close();
  });

  it('is read as it was at one moment', () => {
    const tasks = new OpenStore();
    tasks.add('First');
    const [reader, writer] = [new TaskDatabase(tasks.file), new TaskDatabase(tasks.file)];
    const titles = reader.read((rows) => {
      const look = () => rows.get('SELECT title FROM task')?.['title'];
      const before = look();
      writer.write((database) => database.run("UPDATE task SET title = 'Second'"));
      return [before, look()];
    });
    expect(titles).toEqual(['First', 'First']);
    for (const database of [reader, writer]) database.close();
  });
});

function problemWith(): never {
  throw new Error('no');
}
