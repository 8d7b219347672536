import { execFile, spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { promisify } from 'node:util';
import { expect, it, describe } from 'vitest';
import { temporaryFolder } from '../../test/temporary-folder.ts';
import { holdLock, runLocked, PathQueue, type HeldLock } from './file-lock.ts';

it('work on one file runs one after the other, on different files at the same time', async () => {
  const folder = temporaryFolder({ 'a.txt': '', 'b.txt': '' });
  let [inA, most, together] = [0, 0, 0];
  const work = async () => {
    most = Math.max(most, ++inA);
    for (let turn = 0; turn < 5; turn++) await setImmediate();
    inA--;
    return 'done';
  };
  const other = async () => {
    together = Math.max(together, inA);
    await setImmediate();
    return 'done';
  };
  const all = Array.from({ length: 10 }, (_, index) =>
    index % 2 === 0 ? runLocked(join(folder, 'a.txt'), work) : runLocked(join(folder, '.', 'b.txt'), other),
  );
  expect(await Promise.all(all)).toEqual(Array.from({ length: 10 }, () => 'done'));
  expect(most).toBe(1);
  expect(together).toBe(1);
});

it('a lock ends with the work, also when that fails', async () => {
  const path = join(temporaryFolder({ 'a.txt': '' }), 'a.txt');
  await expect(runLocked(path, () => Promise.reject(new Error('no')))).rejects.toThrow('no');
  expect(await runLocked(path, async () => 'again')).toBe('again');
});

it('a lock that is held is had by one, which says who it is, until it lets go', async () => {
  const path = join(temporaryFolder(), 'not-there.db');
  const mine = await holdLock(path, 'process 7\u001b[31m (bae ask)');
  expect(mine).toHaveProperty('release');
  expect(await holdLock(path, 'other')).toEqual({ heldBy: 'process 7[31m (bae ask)' });
  (mine as HeldLock).release();
  const next = await holdLock(path, 'other');
  expect(next).toHaveProperty('release');
  (next as HeldLock).release();
});

// Where a user may not have namespaces of their own, this cannot be tried.
it.skipIf(spawnSync('unshare', ['--user', 'true']).status !== 0)(
  'a lock excludes the same user in a container, who has another number there',
  async () => {
    const path = join(temporaryFolder(), 'a.txt');
    const mine = await holdLock(path, 'outside');
    const module = JSON.stringify(new URL('./file-lock.ts', import.meta.url));
    const code = `const { holdLock } = await import(${module}); console.log(await holdLock(${JSON.stringify(path)}, 'in'))`;
    const script = ['--input-type=module', '-e', code];
    const { stdout } = await promisify(execFile)('unshare', ['--user', process.execPath, ...script]);
    (mine as HeldLock).release();
    expect(stdout).toContain("heldBy: 'outside'");
  },
);

describe('PathQueue', () => {
  it('does the work on one thing in turn, also after a failure, and on two things at once', async () => {
    const queue = new PathQueue();
    const log: string[] = [];
    const work =
      (name: string, fails = false) =>
      async () => {
        log.push(`${name} begins`);
        await setImmediate();
        log.push(`${name} ends`);
        if (fails) throw new Error(name);
        return name;
      };
    const all = [queue.run('a', work('1', true)), queue.run('a', work('2')), queue.run('b', work('3'))];
    expect((await Promise.allSettled(all)).map(({ status }) => status)).toEqual(['rejected', 'fulfilled', 'fulfilled']);
    expect(log.indexOf('2 begins')).toBeGreaterThan(log.indexOf('1 ends'));
    expect(log.indexOf('3 begins')).toBeLessThan(log.indexOf('1 ends'));
  });
});
