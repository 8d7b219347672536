import { ProtectedFileError } from './errors/protected-file-error.ts';
import { protectionOf, type PathProtection } from './path-protection.ts';
import type { Place } from './place.ts';
import { showPath } from './show-path.ts';

/** What is special about a place by any of the names that lead to it. */
export function protectionOfPlace({ names }: Pick<Place, 'names'>): PathProtection | undefined {
  const found = names.map(protectionOf).filter((one) => one !== undefined);
  return found.find(({ secret }) => secret) ?? found[0];
}

/**
 * Refuses to change what no tool may write.
 *
 * @throws ProtectedFileError when one of the names that lead there is protected
 */
export function refuseProtected(place: Pick<Place, 'given' | 'names'>): void {
  const protection = protectionOfPlace(place);
  if (protection === undefined) return;
  const shown = showPath(place.given);
  throw new ProtectedFileError(
    `${shown} ${protection.is}: no tool writes it. Say what should be in it, so that the user can write it.`,
    ['<R:.>'],
  );
}

/**
 * Refuses to show what the user has to allow first.
 *
 * @throws ProtectedFileError when one of the names that lead there stands for a secret
 */
export function refuseSecret(place: Place): void {
  const protection = protectionOfPlace(place);
  if (protection?.secret !== true) return;
  throw new ProtectedFileError(
    `${showPath(place.given)} ${protection.is}: it is shown only when the user allows it. Go on without it.`,
    ['<R:.>'],
  );
}
