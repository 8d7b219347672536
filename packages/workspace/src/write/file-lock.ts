import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { statSync } from 'node:fs';
import { createServer } from 'node:net';
import { userInfo } from 'node:os';
import { basename, dirname } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';

/** Longest wait for another process, in milliseconds: what is done under a lock takes less than one, as a rule. */
const PATIENCE_MS = 10_000;
const LONGEST_PAUSE_MS = 8;

/**
 * Runs work while no other process of bae on this machine does the same for a file. The lock is a socket that only one
 * process can listen at, so that it ends with the process, whatever ends that. Where there are no such sockets, the work
 * runs without a lock, as it does beside editors, which know none.
 *
 * @param path of the file, in a folder that is there
 * @returns what the work returns; undefined when another process kept the lock too long, and nothing was done
 */
export async function runLocked<T>(path: string, work: () => Promise<T>): Promise<T | undefined> {
  const lock = await acquireLock(getLockAddress(path));
  if (lock === 'taken') return undefined;
  try {
    return await work();
  } finally {
    lock?.close();
  }
}

async function acquireLock(address: string | undefined) {
  if (address === undefined) return undefined;
  const end = performance.now() + PATIENCE_MS;
  for (let pause = 1; performance.now() < end; pause = Math.min(pause * 2, LONGEST_PAUSE_MS)) {
    const server = createServer();
    try {
      await once(server.listen(address), 'listening');
      return server;
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EADDRINUSE') return undefined;
    }
    // Not in step with the others that wait.
    await wait(pause * (0.5 + Math.random()));
  }
  return 'taken';
}

/** The same for every spelling of a path, and for every process of the user; undefined where there is none. */
function getLockAddress(path: string): string | undefined {
  const { dev, ino } = statSync(dirname(path));
  const file = `${userInfo().uid}:${dev}:${ino}:${basename(path)}`;
  const name = `bae-${createHash('sha256').update(file).digest('hex').slice(0, 32)}`;
  // Names in the abstract namespace, and pipes, are gone with their process; files of sockets are not.
  if (process.platform === 'linux') return `\0${name}`;
  return process.platform === 'win32' ? `\\\\.\\pipe\\${name}` : undefined;
}
