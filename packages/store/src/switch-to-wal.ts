import type { DatabaseSync } from 'node:sqlite';

const BUSY = 5;
const PAUSE_MS = 10;

/**
 * Makes a database keep its changes in a log beside it, so that readers and a writer do not wait for each other.
 *
 * Processes that do this to a new file at the same moment are told that it is busy at once, whatever the
 * time they are willing to wait; so the waiting is done here.
 */
export function switchToWal(driver: DatabaseSync, busyMs: number): void {
  const deadline = performance.now() + busyMs;
  for (;;) {
    try {
      driver.exec('PRAGMA journal_mode = WAL');
      return;
    } catch (error) {
      if (!isBusy(error) || performance.now() > deadline) throw error;
      pause();
    }
  }
}

function isBusy(error: unknown): boolean {
  const { errcode } = error as { errcode?: number };
  return errcode !== undefined && (errcode & 0xff) === BUSY;
}

function pause(): void {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, PAUSE_MS);
}
