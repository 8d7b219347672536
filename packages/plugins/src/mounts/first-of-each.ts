import { renaming } from './collisions.ts';
import type { Mount } from './mount.ts';

/** Mounts without two of one name, and a line for each that was left out. */
export interface FirstOfEach {
  readonly mounts: readonly Mount[];
  readonly notices: readonly string[];
}

/**
 * What a configuration asks for, and of what was only discovered all whose name is free: nobody asked for it,
 * so a second one of a name is no mistake of the configuration.
 */
export function firstOfEach(chosen: readonly Mount[], found: readonly Mount[]): FirstOfEach {
  const taken = new Map(chosen.map((mount) => [mount.path.join('.'), mount]));
  const mounts = [...chosen];
  const notices: string[] = [];
  for (const mount of found) {
    const name = mount.path.join('.');
    const first = taken.get(name);
    if (first === undefined) {
      taken.set(name, mount);
      mounts.push(mount);
      continue;
    }
    notices.push(
      `${mount.label} is not used: ${first.label} has a space named ${name} already. Give it another name in the configuration: "spaces": [${renaming(mount, mount.label)}]`,
    );
  }
  return { mounts, notices };
}
