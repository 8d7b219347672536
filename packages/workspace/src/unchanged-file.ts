import { createHash } from 'node:crypto';
import { closeSync, constants, fstatSync, lstatSync, openSync, readFileSync, type BigIntStats } from 'node:fs';
import { open } from 'node:fs/promises';
import { setTimeout as wait } from 'node:timers/promises';
import { chunksOf } from './file-chunks.ts';
import { isMissing } from './system-error.ts';

/** Up to this many bytes a file is looked at without letting anything else in this process run. */
const SMALL = 1024 * 1024;
/** Two changes of a file within this time may leave it the same times. */
const TICK_MS = 50;
/** Looks at a large file that is being written to before it is given up. */
const MOST_LOOKS = 100;
// Windows has neither of the last two flags.
const READ = constants.O_RDONLY | (constants.O_NONBLOCK ?? 0) | (constants.O_NOFOLLOW ?? 0);

/** A file, and the content it is to have. */
export interface ExpectedFile {
  /** Path for system calls. */
  readonly path: string;
  /** SHA-256 in hex; null when nothing is to have the path. */
  readonly hash: string | null;
}

/**
 * Does something to a file if its content is what is expected, and does it at once: nothing else in this process
 * comes between the last look and the act, and another process has the time of one system call.
 *
 * @param act synchronous
 * @returns false when the content is another one, and nothing was done
 */
export async function actIfUnchanged({ path, hash }: ExpectedFile, act: () => void): Promise<boolean> {
  for (let look = 0; look < MOST_LOOKS; look++) {
    const now = lookAtOnce(path);
    if (now !== undefined) {
      if (now !== hash) return false;
      act();
      return true;
    }
    const seen = await lookInPieces(path);
    if (seen?.hash !== hash) return false;
    if (!isSame(seen.stats, lstatSync(path, { bigint: true, throwIfNoEntry: false }))) continue;
    act();
    return true;
  }
  return false;
}

/** Hash of a small file, undefined for a large one; null when nothing is there, empty when it is no regular file. */
function lookAtOnce(path: string): string | null | undefined {
  let descriptor: number | undefined;
  try {
    descriptor = openSync(path, READ);
    const stats = fstatSync(descriptor);
    if (!stats.isFile()) return '';
    if (stats.size > SMALL) return undefined;
    return createHash('sha256').update(readFileSync(descriptor)).digest('hex');
  } catch (error) {
    if (isMissing(error)) return null;
    throw error;
  } finally {
    if (descriptor !== undefined) closeSync(descriptor);
  }
}

interface Look {
  readonly hash: string;
  readonly stats: BigIntStats;
}

/** Times tell only whether a large file has to be read again, never whether it changed. */
async function lookInPieces(path: string): Promise<Look | undefined> {
  try {
    await using file = await open(path, READ);
    const stats = await file.stat({ bigint: true });
    if (Date.now() - Number(stats.mtimeMs) < TICK_MS) await wait(TICK_MS);
    const hash = createHash('sha256');
    for await (const chunk of chunksOf(file)) hash.update(chunk);
    return { hash: hash.digest('hex'), stats };
  } catch (error) {
    if (isMissing(error)) return undefined;
    throw error;
  }
}

function isSame(seen: BigIntStats, now: BigIntStats | undefined): boolean {
  return (
    now !== undefined &&
    seen.ino === now.ino &&
    seen.dev === now.dev &&
    seen.size === now.size &&
    seen.mtimeNs === now.mtimeNs &&
    seen.ctimeNs === now.ctimeNs
  );
}
