import { statSync } from 'node:fs';
import { join } from 'node:path';
import { listFolderEntries } from '../config/disk.ts';

const CODE = /\.(?:[cm]?[jt]sx?|json)$/;
/** Generated or installed entries, which are ignored. */
const GENERATED = new Set(['node_modules', 'bae.manifest.json']);

/**
 * Returns a text that changes whenever code in a folder is changed, added or removed.
 *
 * @param ignored a file or folder directly in it that is left out
 */
export function readCodeStamp(folder: string, ignored?: string): string {
  const stamps = listFolderEntries(folder).flatMap((entry) => {
    const { name } = entry;
    const path = join(folder, name);
    if (name.startsWith('.') || name === ignored || GENERATED.has(name)) return [];
    if (entry.isDirectory()) return readCodeStamp(path);
    const stats = CODE.test(name) ? statSync(path, { throwIfNoEntry: false }) : undefined;
    return stats === undefined ? [] : [`${path} ${stats.mtimeMs} ${stats.size}`];
  });
  return stamps.filter((stamp) => stamp !== '').join('\n');
}

const INTERVAL_MS = 200;

/**
 * Calls `act` after a change, once nothing has changed for a moment, because editors may write a file in pieces. It
 * polls, which works on every disk.
 *
 * @param look returns a text that differs after a change
 * @param act must not reject; nothing is polled while it runs
 * @returns a function that stops watching
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
