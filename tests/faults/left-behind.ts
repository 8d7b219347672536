import { readdirSync, readFileSync } from 'node:fs';
import { setImmediate } from 'node:timers/promises';

/** What keeps this process alive right now, by kind, sorted. */
export function handles(): readonly string[] {
  return process.getActiveResourcesInfo().toSorted();
}

/** The same once no timer is left, or after some seconds; it sets none itself. */
export async function settledHandles(): Promise<readonly string[]> {
  const until = performance.now() + 5000;
  while (handles().includes('Timeout') && performance.now() < until) await setImmediate();
  return handles();
}

/** Numbers of the processes that this one started and that still run. */
export function childProcesses(): readonly number[] {
  const threads = readdirSync('/proc/self/task');
  const children = threads.flatMap((thread) => readFileSync(`/proc/self/task/${thread}/children`, 'utf8').split(' '));
  return children
    .filter((pid) => pid.trim() !== '')
    .map(Number)
    .filter(isRunning);
}

function isRunning(pid: number): boolean {
  try {
    return !/^\d+ \(.*\) Z /.test(readFileSync(`/proc/${pid}/stat`, 'utf8'));
  } catch {
    return false;
  }
}
