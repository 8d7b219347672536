import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';

/** A space of bae's own, and the folder of its code, absolute. */
export interface RunningSpace {
  readonly name: string;
  readonly folder: string;
  readonly needsRestart: true;
}

/** The spaces that bae itself brings along: it runs by them, so other code of them is used by the next start only. */
export function runningSpaces(): readonly RunningSpace[] {
  return ['filesystem', 'source', 'tasks'].map((name) => {
    const entry = fileURLToPath(import.meta.resolve(`@bae/${name}`));
    // The entry is in dist/.
    return { name, folder: dirname(dirname(entry)), needsRestart: true };
  });
}
