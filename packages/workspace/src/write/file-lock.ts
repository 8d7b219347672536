import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { statSync } from 'node:fs';
import { connect, createServer, type Server } from 'node:net';
import { userInfo } from 'node:os';
import { basename, dirname } from 'node:path';
import { text } from 'node:stream/consumers';
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
  const lock = await acquireLock(getLockAddress(path), { patienceMs: PATIENCE_MS });
  if (lock === 'taken') return undefined;
  try {
    return await work();
  } finally {
    lock?.close();
  }
}

/** A lock that this process has until it lets go of it, or ends. */
export interface HeldLock {
  release(): void;
}

/** Longest wait for a holder that is just ending, in milliseconds. */
const ENDING_MS = 1000;

/**
 * Takes a lock for longer than one piece of work, and tells whoever wants it, too, who has it.
 * Where there are no such locks, everybody gets one.
 *
 * @param path of a file, which need not be there, in a folder that is
 * @param holder who takes it, in a few words
 * @returns the words of the holder when another one has it; empty when that does not say
 */
export async function holdLock(path: string, holder: string): Promise<HeldLock | { readonly heldBy: string }> {
  const address = getLockAddress(path);
  const lock = await acquireLock(address, { patienceMs: ENDING_MS, holder });
  if (lock === 'taken') return { heldBy: await askHolder(address!) };
  // It must not keep the process running.
  lock?.unref();
  return { release: () => void lock?.close() };
}

/** Longest wait for the words of a holder, in milliseconds, and most characters of them. */
const ANSWER_MS = 1000;
const LONGEST_WORDS = 200;

async function askHolder(address: string): Promise<string> {
  const socket = connect(address);
  socket.setTimeout(ANSWER_MS, () => socket.destroy());
  const words = await text(socket).catch(() => '');
  // Whoever listens there may be anything.
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
    // Not in step with the others that wait.
    await wait(pause * (0.5 + Math.random()));
  }
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
