import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { openDatabase } from '@bae/store';
import { describe, expect, it } from 'vitest';
import { OpenStore, problemOf } from '../../test/open-store.ts';
import { newFile, openTasks } from '../../test/open-tasks.ts';
import { TaskFile } from './task-database.ts';
import { all, get, type Work } from './task-place.ts';

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
    const refusal = `StoreError: ${file}: it is not a database, and was left unchanged.\nTry: move it away`;
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
    const tasks = new OpenStore();
    tasks.add('First');
    const file = new TaskFile(tasks.file);
    const rename = function* (title: string, fails = false): Work<void> {
      yield* all('UPDATE task SET title = ?', title);
      if (fails) throw new Error('no');
    };
    file.tryOut(rename('Tried'));
    expect(() => file.write(rename('Failed', true))).toThrow('no');
    expect(() => file.tryOut(rename('Failed', true))).toThrow('no');
    expect(tasks.task(1).title).toBe('First');
    file.write(rename('Written'));
    expect(tasks.task(1).title).toBe('Written');
    file.close();
  });

  it('is read as it was at one moment', () => {
    const tasks = new OpenStore();
    tasks.add('First');
    const [reader, writer] = [new TaskFile(tasks.file), new TaskFile(tasks.file)];
    const look = function* (): Work<unknown> {
      return (yield* get('SELECT title FROM task'))?.['title'];
    };
    const titles = reader.read(
      (function* (): Work<readonly unknown[]> {
        const before = yield* look();
        writer.write(all("UPDATE task SET title = 'Second'"));
        return [before, yield* look()];
      })(),
    );
    expect(titles).toEqual(['First', 'First']);
    for (const database of [reader, writer]) database.close();
  });
});
