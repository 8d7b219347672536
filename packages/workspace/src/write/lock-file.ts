import { createHash, randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { linkSync, lstatSync, readdirSync, unlinkSync } from 'node:fs';
import { connect, createServer, type Server } from 'node:net';
import { basename, dirname } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';

/** Names of locks, and of announcements that a lock is about to be removed because its holder has ended. */
const LOCK = /^(\.bae-[0-9a-f]{16}\.lock)(\.[0-9a-f]{16})?$/;
/** Maximum length of the address of a socket on Linux, in bytes. */
const LONGEST_ADDRESS = 107;
const LONGEST_PAUSE_MS = 8;

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
  const end = performance.now() + patienceMs;
  for (let pause = 1; ; pause = Math.min(pause * 2, LONGEST_PAUSE_MS)) {
    try {
      const held = await listenAs(lock);
      if (held !== undefined) return held;
      if (await isDead(lock)) await removeDeadLock(lock);
    } catch {
      return undefined;
    }
    if (performance.now() >= end) return 'taken';
    await wait(pause * (0.5 + Math.random()));
  }
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
