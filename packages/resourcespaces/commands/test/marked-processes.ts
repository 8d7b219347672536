import { readdirSync, readFileSync } from 'node:fs';

/** True while processes with a word in their command line run. */
function isMarkedRunning(marker: string): boolean {
  return readdirSync('/proc').some((name) => {
    try {
      return /^\d+$/.test(name) && readFileSync(`/proc/${name}/cmdline`, 'utf8').includes(marker);
    } catch {
      return false;
    }
  });
}

/** Waits until such processes run, or until none does. The limit of the test ends it. */
export async function untilMarked(marker: string, isRunning: boolean): Promise<void> {
  while (isMarkedRunning(marker) !== isRunning) await new Promise((resolve) => setTimeout(resolve, 10));
}
