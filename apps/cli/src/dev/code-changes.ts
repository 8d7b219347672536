import { readdirSync, statSync, type Dirent } from 'node:fs';
import { join } from 'node:path';

const CODE = /\.(?:[cm]?[jt]sx?|json)$/;
/** Names of what is generated or installed. */
const NOT_WRITTEN = new Set(['node_modules', 'bae.manifest.json']);

/**
 * A text that differs after code below a folder was changed, added or removed.
 *
 * @param besides the name of one more folder directly in it to ignore
 */
export function readCodeStamp(folder: string, besides?: string): string {
  return stampFiles(folder, besides).join('\n');
}

function stampFiles(folder: string, besides?: string): readonly string[] {
  return readEntries(folder).flatMap((entry) => {
    const { name } = entry;
    const path = join(folder, name);
    if (name.startsWith('.') || name === besides || NOT_WRITTEN.has(name)) return [];
    if (entry.isDirectory()) return stampFiles(path);
    const stats = CODE.test(name) ? statSync(path, { throwIfNoEntry: false }) : undefined;
    return stats === undefined ? [] : [`${path} ${stats.mtimeMs} ${stats.size}`];
  });
}

function readEntries(folder: string): readonly Dirent[] {
  try {
    return readdirSync(folder, { withFileTypes: true });
  } catch {
    // Removed since it was listed.
    return [];
  }
}

const INTERVAL_MS = 200;

/**
 * Calls `act` when something has changed and then stayed the same for a moment, because editors may write a file
 * in pieces. It polls, which works on every disk and keeps nothing open.
 *
 * @param look returns a text that differs after a change
 * @param act must not reject; nothing is polled while it runs
 * @returns stops watching
 */
export function watch(look: () => string, act: () => Promise<void>): () => void {
  let handled = look();
  let last = handled;
  let isBusy = false;
  const check = async (): Promise<void> => {
    if (isBusy) return;
    const now = look();
    const isSettled = now === last;
    last = now;
    if (!isSettled || now === handled) return;
    handled = now;
    isBusy = true;
    await act();
    isBusy = false;
  };
  const timer = setInterval(() => void check(), INTERVAL_MS);
  timer.unref();
  return () => clearInterval(timer);
}
