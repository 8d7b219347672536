import { ProtectedFileError } from './errors/protected-file-error.ts';
import { protectionOfPlace } from './guard-place.ts';
import { OWN } from './path-protection.ts';
import type { Place } from './place.ts';
import { showPath } from './show-path.ts';

/**
 * Refuses to open bae's own files. Opening and closing a database beside its owner lets go of the owner's locks.
 *
 * @throws ProtectedFileError when one of the names that lead there is in bae's own folder
 */
export function refuseOwn(place: Place): void {
  if (protectionOfPlace(place)?.is !== OWN) return;
  throw new ProtectedFileError(`${showPath(place.given)} ${OWN}: no tool opens it.`, ['<R:.>']);
}
