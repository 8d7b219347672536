import { randomUUID } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';

/** A word for the command line of processes, by which they are found wherever they are. */
export function makeMarker(): string {
  return `marker-${randomUUID()}`;
}

/** Processes with a word in their command line that run, by their numbers here. */
export function listMarked(marker: string): readonly number[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .filter((id) => {
      try {
        const line = readFileSync(`/proc/${id}/cmdline`, 'utf8');
        // The shells that watch it name the command too.
        return line.includes(marker) && !/^(?:\/bin\/sh|\S*\/unshare)\0/.test(line);
      } catch {
        return false;
      }
    })
    .map(Number);
}

/** Waits until as many processes with a word run. The limit of the test ends it. */
export async function untilMarked(marker: string, count: number): Promise<void> {
  while (listMarked(marker).length !== count) await new Promise((resolve) => setTimeout(resolve, 10));
}
