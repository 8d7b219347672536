import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { statSync } from 'node:fs';
import { connect, createServer, type Server } from 'node:net';
import { basename, dirname } from 'node:path';
import { text } from 'node:stream/consumers';
import { setTimeout as wait } from 'node:timers/promises';
import { acquireLockFile } from './lock-file.ts';

/** Time limit for waiting for another process, in milliseconds: work under a lock usually takes less than one. */
const PATIENCE_MS = 10_000;
const LONGEST_PAUSE_MS = 8;

/**
 * Runs work while no other process of bae on this machine works on the same file. The lock is a socket on which only
 * one process can listen, so that it ends with the process, however that ends. On Linux it is in the folder of the
 * file, so that processes in other containers respect it too, unless there can be none. On systems without such
 * sockets, the work runs without a lock, just as editors do not use it.
 *
 * @param path path of the file, in an existing folder
 * @returns the result of the work; undefined when another process held the lock too long, and nothing was done
 */
export async function runLocked<T>(path: string, work: () => Promise<T>): Promise<T | undefined> {
  const lock =
    (await acquireLockFile(path, PATIENCE_MS)) ??
    (await acquireLock(getLockAddress(path), { patienceMs: PATIENCE_MS }));
  if (lock === 'taken') return undefined;
  try {
    return await work();
  } finally {
    lock?.close();
  }
}

/** A lock that this process holds until it releases it, or ends. */
export interface HeldLock {
  release(): void;
}

/** Time limit for waiting for a holder that is about to end, in milliseconds. */
const ENDING_MS = 1000;

/**
 * Acquires a lock for longer than one piece of work, and tells other processes that want it who holds it. On systems
 * without such locks, every caller gets one.
 *
 * @param path path of a file, which may be missing, in an existing folder
 * @param holder description of the holder, in a few words
 * @returns the description of the other holder if the lock is taken; empty when it does not answer
 */
export async function holdLock(path: string, holder: string): Promise<HeldLock | { readonly heldBy: string }> {
  const address = getLockAddress(path);
  const lock = await acquireLock(address, { patienceMs: ENDING_MS, holder });
  if (lock === 'taken') return { heldBy: await askHolder(address!) };
  // It must not keep the process running.
  lock?.unref();
  return { release: () => void lock?.close() };
}

/** Time limit for the answer of a holder, in milliseconds, and maximum length of the answer, in characters. */
const ANSWER_MS = 1000;
const LONGEST_WORDS = 200;

async function askHolder(address: string): Promise<string> {
  const socket = connect(address);
  socket.setTimeout(ANSWER_MS, () => socket.destroy());
  const words = await text(socket).catch(() => '');
  // Any program may be listening there.
  return words.slice(0, LONGEST_WORDS).replaceAll(/[^\p{L}\p{N}\p{P}\p{Zs}]/gu, '');
}

async function acquireLock(
  address: string | undefined,
  { patienceMs, holder = '' }: { readonly patienceMs: number; readonly holder?: string },
): Promise<Server | 'taken' | undefined> {
  if (address === undefined) return undefined;
  const end = performance.now() + patienceMs;
  for (let pause = 1; ; pause = Math.min(pause * 2, LONGEST_PAUSE_MS)) {
    const server = createServer((socket) => socket.on('error', () => undefined).end(holder));
    try {
      await once(server.listen(address), 'listening');
      return server;
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EADDRINUSE') return undefined;
    }
    if (performance.now() >= end) return 'taken';
    // A random pause, so that the waiting processes do not retry at the same time.
    await wait(pause * (0.5 + Math.random()));
  }
}

/**
 * Returns an address that is the same for every spelling of a path, and for every process of any user, because the
 * same user has another number in a container; undefined on systems without such sockets.
 */
function getLockAddress(path: string): string | undefined {
  const { dev, ino } = statSync(dirname(path));
  const file = `${dev}:${ino}:${basename(path)}`;
  const name = `bae-${createHash('sha256').update(file).digest('hex').slice(0, 32)}`;
  // Names in the abstract namespace, and pipes, disappear with their process; socket files do not.
  if (process.platform === 'linux') return `\0${name}`;
  return process.platform === 'win32' ? `\\\\.\\pipe\\${name}` : undefined;
}
