import { createHash, randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { linkSync, lstatSync, readdirSync, statSync, unlinkSync } from 'node:fs';
import { connect, createServer, type Server } from 'node:net';
import { basename, dirname } from 'node:path';
import { text } from 'node:stream/consumers';
import { setTimeout as wait } from 'node:timers/promises';

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
  return retry(patienceMs, async () => {
    const server = createServer((socket) => socket.on('error', () => undefined).end(holder));
    try {
      await once(server.listen(address), 'listening');
      return server;
    } catch (error) {
      return (error as NodeJS.ErrnoException).code === 'EADDRINUSE' ? 'taken' : undefined;
    }
  });
}

/** Tries to acquire a lock until it is not taken, or the time is up. */
async function retry<T>(patienceMs: number, acquire: () => Promise<T | 'taken'>): Promise<T | 'taken'> {
  const end = performance.now() + patienceMs;
  for (let pause = 1; ; pause = Math.min(pause * 2, LONGEST_PAUSE_MS)) {
    const lock = await acquire();
    if (lock !== 'taken' || performance.now() >= end) return lock;
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

/** Names of locks, and of announcements that a lock is about to be removed because its holder has ended. */
const LOCK = /^(\.bae-[0-9a-f]{16}\.lock)(\.[0-9a-f]{16})?$/;
/** Maximum length of the address of a socket on Linux, in bytes. */
const LONGEST_ADDRESS = 107;

/** A lock that its process holds until it closes it, or ends. */
export interface LockFile {
  close(): void;
}

/**
 * Acquires a lock on a file that processes in other network and process namespaces respect too, such as those in two
 * containers with one folder. The lock is a second name, in the folder of the file, of a socket on which the holder
 * listens: only one process can create it, and a connection to it shows whether the holder is still alive.
 *
 * @param path path of the file, in an existing folder
 * @returns undefined where there can be no such sockets
 */
export async function acquireLockFile(path: string, patienceMs: number): Promise<LockFile | 'taken' | undefined> {
  if (process.platform !== 'linux') return undefined;
  const hash = createHash('sha256').update(basename(path)).digest('hex');
  const lock = `${dirname(path)}/.bae-${hash.slice(0, 16)}.lock`;
  return retry(patienceMs, async () => {
    try {
      const held = await listenAs(lock);
      if (held === undefined && (await isDead(lock))) await removeDeadLock(lock);
      return held ?? 'taken';
    } catch {
      return undefined;
    }
  });
}

/** Returns true for the name of a lock, or of its removal, that a killed process may have left. */
export function isLockName(name: string): boolean {
  return LOCK.test(name);
}

/** Removes a lock, or the announcement of its removal, if its holder has ended. */
export async function removeIfDead(path: string): Promise<void> {
  if (!(await isDead(path))) return;
  if (LOCK.exec(basename(path))?.[2] === undefined) await removeDeadLock(path);
  else unlinkSync(path);
}

/**
 * Listens on a socket that has a name from the moment on at which it answers.
 *
 * @returns undefined when the name exists
 * @throws when there can be no such socket
 */
async function listenAs(name: string): Promise<LockFile | undefined> {
  const own = `${dirname(name)}/.bae-${process.pid}-${randomBytes(8).toString('hex')}.tmp`;
  if (Buffer.byteLength(own) > LONGEST_ADDRESS) throw new Error('the path is too long for a socket');
  const server: Server = createServer((socket) => socket.on('error', () => undefined).end());
  // Other users have to learn too that the holder is alive.
  await once(server.listen({ path: own, writableAll: true }), 'listening');
  try {
    linkSync(own, name);
  } catch (error) {
    server.close();
    const { code } = error as NodeJS.ErrnoException;
    // A process in another namespace may have taken the socket for a leftover.
    if (code === 'EEXIST' || code === 'ENOENT') return undefined;
    throw error;
  }
  return {
    close: () => {
      try {
        unlinkSync(name);
      } catch {
        // The folder no longer exists, or may not be changed; without its listener the lock holds nothing.
      }
      server.close();
    },
  };
}

/** Tests whether no process listens any more, which then stays so. False also when the name no longer exists. */
async function isDead(path: string): Promise<boolean> {
  const stats = lstatSync(path, { throwIfNoEntry: false });
  if (stats === undefined) return false;
  // Not made by bae; a link could lead to a socket of another program, which never ends.
  if (!stats.isSocket()) return true;
  const socket = connect(path);
  try {
    await once(socket, 'connect');
    return false;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'ECONNREFUSED';
  } finally {
    socket.destroy();
  }
}

/**
 * Removes a lock whose holder has ended, unless another process is about to do so. Each process announces itself
 * before it looks for others: of two, at least one sees the other and leaves it to a later attempt, so that none
 * removes the lock that somebody has acquired in the meantime.
 */
async function removeDeadLock(lock: string): Promise<void> {
  const folder = dirname(lock);
  const announcement = `${lock}.${randomBytes(8).toString('hex')}`;
  const announced = await listenAs(announcement);
  if (announced === undefined) return;
  try {
    for (const name of readdirSync(folder)) {
      if (LOCK.exec(name)?.[1] !== basename(lock) || name === basename(lock) || name === basename(announcement))
        continue;
      if (!(await isDead(`${folder}/${name}`))) return;
    }
    if (await isDead(lock)) unlinkSync(lock);
  } finally {
    announced.close();
  }
}

/** Locks by key: pieces of work with the same key run one at a time, in the order of the calls. */
export class PathQueue {
  readonly #last = new Map<string, Promise<unknown>>();

  /** Runs the work after all earlier work with the same key has ended, successfully or not. */
  async run<T>(key: string, work: () => Promise<T>): Promise<T> {
    const before = this.#last.get(key) ?? Promise.resolve();
    const mine = before.then(work, work);
    const settled = mine.catch(() => undefined);
    this.#last.set(key, settled);
    try {
      return await mine;
    } finally {
      if (this.#last.get(key) === settled) this.#last.delete(key);
    }
  }

  /** Runs work under several keys; all callers take the keys in the same order, which prevents deadlocks. */
  runAll<T>(keys: readonly string[], work: () => Promise<T>): Promise<T> {
    const sorted = [...new Set(keys)].toSorted();
    return sorted.reduce((inner, key) => () => this.run(key, inner), work)();
  }
}
