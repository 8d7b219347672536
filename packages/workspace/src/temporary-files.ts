import { randomBytes } from 'node:crypto';
import { readdir, unlink } from 'node:fs/promises';
import type { Stats } from 'node:fs';
import type { Held } from './held.ts';

/** `.bae-` the process that writes it, a random part, `.tmp`. */
const NAME = /^\.bae-(\d{1,10})-[0-9a-f]{16}\.tmp$/;
/** No write takes as long: what is older was left behind, also when its process number was given out again. */
const OLDEST_MS = 60 * 60 * 1000;

/** A name for a new file that takes another's place when it is complete. */
export function temporaryName(): string {
  return `.bae-${process.pid}-${randomBytes(8).toString('hex')}.tmp`;
}

/**
 * Removes from a folder the temporary files of processes that were killed while they wrote.
 *
 * Only regular files with a name of ours that belong to this user and that nobody writes any more; whatever
 * goes wrong, the folder stays as it is.
 */
export async function removeLeftovers(folder: Held): Promise<void> {
  for (const name of await namesIn(folder)) {
    const writer = NAME.exec(name)?.[1];
    if (writer === undefined) continue;
    using file = folder.child(name);
    if (file === undefined || !isLeftover(file.stats, Number(writer))) continue;
    await unlink(folder.at(name)).catch(() => undefined);
  }
}

function isLeftover(stats: Stats, writer: number): boolean {
  if (!stats.isFile()) return false;
  if (process.getuid !== undefined && stats.uid !== process.getuid()) return false;
  if (Date.now() - stats.mtimeMs > OLDEST_MS) return true;
  // In a container every start may get the same number.
  if (writer === process.pid) return stats.mtimeMs < performance.timeOrigin;
  return !isRunning(writer);
}

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code !== 'ESRCH';
  }
}

async function namesIn(folder: Held): Promise<readonly string[]> {
  try {
    await folder.confirm();
    return await readdir(folder.address);
  } catch {
    return [];
  }
}
