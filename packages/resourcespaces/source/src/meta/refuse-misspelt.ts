import { nearestName, ResourceError } from '@bae/core';
import { showPath } from '@bae/workspace';
import type { ReloadableSpace } from './meta-host.ts';

/**
 * Refuses what is there neither as a space nor as code, when a space has nearly that name.
 *
 * @throws ResourceError with that space
 */
export function refuseMisspelt(spaces: readonly ReloadableSpace[], name: string): void {
  const meant = nearestName(
    name,
    spaces.map((one) => one.name),
  );
  if (meant === undefined) return;
  throw new ResourceError(`no space '${showPath(name)}' is loaded from here. Did you mean ${meant}?`, [
    `<source.meta.R:${meant}>`,
  ]);
}
