import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, existsSync, mkdirSync, readdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { describe, expect, it, onTestFinished } from 'vitest';
import { temporaryFolder } from '../../test/temporary-folder.ts';
import { WorkspaceRoot } from '../workspace-root.ts';
import { acquireLockFile, type LockFile } from './file-lock.ts';

const LONG_MS = 60_000;

/** Starts a process that holds the lock of a file until it is killed. */
async function startHolder(path: string, wrapper: readonly string[] = []): Promise<ChildProcess> {
  const module = JSON.stringify(new URL('./file-lock.ts', import.meta.url));
  const code = `const { acquireLockFile } = await import(${module});
    const lock = await acquireLockFile(${JSON.stringify(path)}, 0);
    console.log(lock?.close ? 'held' : String(lock));`;
  const [program, ...args] = [...wrapper, process.execPath, '--input-type=module', '-e', code];
  const child = spawn(program, args, { stdio: ['ignore', 'pipe', 'inherit'] });
  onTestFinished(() => void child.kill('SIGKILL'));
  expect(String(await once(child.stdout, 'data'))).toBe('held\n');
  return child;
}

async function kill(child: ChildProcess): Promise<void> {
  const closed = once(child, 'close');
  child.kill('SIGKILL');
  await closed;
}

function isHeld(lock: LockFile | 'taken' | undefined): lock is LockFile {
  return typeof lock === 'object';
}

describe.runIf(process.platform === 'linux')('a lock in the folder of a file', () => {
  it('is had by one at a time, and leaves nothing behind', async () => {
    const folder = temporaryFolder({ a: '', b: '' });
    const first = await acquireLockFile(join(folder, 'a'), 0);
    const other = await acquireLockFile(join(folder, 'b'), 0);
    expect([isHeld(first), isHeld(other)]).toEqual([true, true]);
    expect(await acquireLockFile(join(folder, 'a'), 0)).toBe('taken');
    if (isHeld(first)) first.close();
    if (isHeld(other)) other.close();
    const second = await acquireLockFile(join(folder, 'a'), 0);
    expect(isHeld(second)).toBe(true);
    if (isHeld(second)) second.close();
    expect(readdirSync(folder).toSorted()).toEqual(['a', 'b']);
  });

  it('ends with a process that is killed, and is then had by one of many', async () => {
    const path = join(temporaryFolder(), 'a');
    const holder = await startHolder(path);
    expect(await acquireLockFile(path, 0)).toBe('taken');
    await kill(holder);
    expect(readdirSync(join(path, '..'))).toHaveLength(2);
    let most = 0;
    let held = 0;
    const work = async () => {
      const lock = await acquireLockFile(path, LONG_MS);
      most = Math.max(most, ++held);
      await wait(1);
      held--;
      if (isHeld(lock)) lock.close();
      return isHeld(lock);
    };
    expect(new Set(await Promise.all(Array.from({ length: 20 }, work)))).toEqual(new Set([true]));
    expect(most).toBe(1);
  });

  it('is not taken away while another process is about to remove it', async () => {
    const folder = temporaryFolder();
    const path = join(folder, 'a');
    await kill(await startHolder(path));
    const lock = readdirSync(folder).find((name) => name.endsWith('.lock'))!;
    // Another process has announced that it removes the lock, and does not get on with it.
    const remover = createServer().listen(join(folder, `${lock}.0123456789abcdef`));
    await once(remover, 'listening');
    expect(await acquireLockFile(path, 20)).toBe('taken');
    expect(existsSync(join(folder, lock))).toBe(true);
    remover.close();
    const mine = await acquireLockFile(path, LONG_MS);
    expect(isHeld(mine)).toBe(true);
    if (isHeld(mine)) mine.close();
  });

  it.each([
    ['a file', (path: string) => writeFileSync(path, '')],
    ['a link to something that listens', (path: string, socket: string) => symlinkSync(socket, path)],
  ])('is not blocked by %s of that name', async (_, plant) => {
    const folder = temporaryFolder();
    const path = join(folder, 'a');
    const lock = await acquireLockFile(path, 0);
    const name = readdirSync(folder).find((one) => one.endsWith('.lock'))!;
    if (isHeld(lock)) lock.close();
    const socket = join(folder, 'socket');
    const server = createServer().listen(socket);
    onTestFinished(() => void server.close());
    await once(server, 'listening');
    plant(join(folder, name), socket);
    expect(isHeld(await acquireLockFile(path, LONG_MS))).toBe(true);
  });

  it('is none where there can be none: below a folder of that name, in a long path, in a folder that is read-only', async () => {
    const folder = temporaryFolder();
    const path = join(folder, 'a');
    const lock = await acquireLockFile(path, 0);
    const name = readdirSync(folder).find((one) => one.endsWith('.lock'))!;
    if (isHeld(lock)) lock.close();
    mkdirSync(join(folder, name, 'kept'), { recursive: true });
    expect(await acquireLockFile(path, LONG_MS)).toBe(undefined);
    const deep = join(folder, 'd'.repeat(100));
    mkdirSync(deep);
    expect(await acquireLockFile(join(deep, 'a'), LONG_MS)).toBe(undefined);
    const closed = join(folder, 'closed');
    mkdirSync(closed);
    chmodSync(closed, 0o555);
    // The superuser may write there.
    if (process.getuid?.() !== 0) expect(await acquireLockFile(join(closed, 'a'), LONG_MS)).toBe(undefined);
  });

  it('that a killed process left is removed with its temporary files', async () => {
    const folder = temporaryFolder();
    await kill(await startHolder(join(folder, 'a')));
    writeFileSync(join(folder, '.bae-0123456789abcdef.lock.0123456789abcdef'), '');
    const alive = await startHolder(join(folder, 'b'));
    const mine = new WorkspaceRoot(folder);
    const [temporary, lock, ...more] = await mine.list('.');
    expect([temporary, lock].some((name) => name?.includes(`${alive.pid}`))).toBe(true);
    expect([temporary, lock].some((name) => name?.endsWith('.lock'))).toBe(true);
    expect(more).toEqual([]);
  });

  it.for([
    ['network', ['unshare', '-rn']],
    ['process', ['unshare', '-rnpf', '--mount-proc', '--kill-child']],
  ] as const)('excludes a process in another %s namespace', async ([, wrapper], { skip }) => {
    const [program, ...args] = wrapper;
    skip(spawnSync(program, [...args, 'true']).status !== 0, 'this user may not have namespaces of their own');
    const path = join(temporaryFolder(), 'a');
    const holder = await startHolder(path, wrapper);
    expect(await acquireLockFile(path, 20)).toBe('taken');
    await kill(holder);
    const mine = await acquireLockFile(path, LONG_MS);
    expect(isHeld(mine)).toBe(true);
    if (isHeld(mine)) mine.close();
  });
});
