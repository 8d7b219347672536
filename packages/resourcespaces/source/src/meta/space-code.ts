import { nearestName, ResourceError } from '@bae/core';
import type { CodeCatalog } from '../modules/code-catalog.ts';
import type { CodeModule } from '../modules/code-module.ts';
import { isBelow } from './is-below.ts';
import type { ReloadableSpace } from './meta-host.ts';

type Spaces = readonly ReloadableSpace[];

/**
 * The space whose code a file is; of one inside of another, the inner one.
 *
 * @param path below the root
 * @param address that led to the file
 * @throws ResourceError when it is the code of none
 */
export function spaceOfFile(spaces: Spaces, path: string, address: string): ReloadableSpace {
  const [space] = spaces
    .filter(({ folder }) => isBelow(folder, path))
    .toSorted((a, b) => b.folder.length - a.folder.length);
  if (space !== undefined) return space;
  throw new ResourceError(
    `${address} is not code of a space that is loaded from here (there are ${spaces.map(({ name }) => name).join(', ')}).`,
    [`<source.R:${address}>`, '<source.meta.R:>'],
  );
}

/**
 * The space of a name.
 *
 * @throws ResourceError when there is none
 */
export function spaceNamed(spaces: Spaces, name: string): ReloadableSpace {
  const space = spaces.find((one) => one.name === name);
  if (space !== undefined) return space;
  const names = spaces.map((one) => one.name);
  const nearest = nearestName(name, names) ?? names[0];
  throw new ResourceError(
    `no space '${name}' is loaded from here (space: expected ${names.join(' or ')}).`,
    nearest === undefined ? [] : [`<source.meta.reload:${nearest}>`],
  );
}

/** The modules of a space, but for its tests and files that only declare types. */
export function modulesOf({ modules }: CodeCatalog, { folder }: ReloadableSpace): readonly CodeModule[] {
  return modules.filter(({ path, name, declares }) => !declares && !name.endsWith('.test') && isBelow(folder, path));
}
