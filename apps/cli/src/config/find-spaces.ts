import { ConfigurationError, type SpaceSource } from '@bae/core';
import type { MountRequest, PlaceOptions, TrustSubject } from '@bae/plugins';
import { BUILT_IN, HOME } from '../built-in-spaces.ts';
import type { LiveSpaces } from '../dev/live-spaces.ts';

/** What the spaces of a configuration are made with. */
export interface PlaceParts extends PlaceOptions {
  /** Takes over those whose code can be loaded anew. Default: nobody does. */
  readonly live?: LiveSpaces;
}

/** Makes the spaces below home. */
export type PlaceSpaces = (parts: PlaceParts) => readonly SpaceSource[];

/** Spaces that a configuration names. */
export interface FoundSpaces {
  readonly spaces: PlaceSpaces;
  /** Packages whose code may not run yet. */
  readonly untrusted: readonly TrustSubject[];
  /** One line each, for people. */
  readonly notices: readonly string[];
}

/**
 * Finds the spaces that a configuration names; no code of a package runs.
 *
 * @param file name of the configuration, for messages
 * @throws ConfigurationError for what only a change of the configuration mends
 */
export async function findSpaces(request: Omit<MountRequest, 'builtIn'>, file: string): Promise<FoundSpaces> {
  const { placeMounts, resolveMounts } = await import('@bae/plugins');
  const disabled = request.disabled.filter((name) => name !== HOME);
  const found = await resolveMounts({ ...request, disabled, builtIn: Object.keys(BUILT_IN) });
  const { mounts, untrusted, notices, problems } = found;
  if (problems.length > 0) throw new ConfigurationError(problems.map((problem) => `${file}: ${problem}`).join('\n'));
  return {
    spaces: ({ live, ...options }) =>
      placeMounts(
        mounts.map((mount) => live?.adopt(mount, { options, place: placeMounts }) ?? mount),
        options,
      ),
    untrusted,
    notices: [...notices, ...inertLine(untrusted)],
  };
}

function inertLine(untrusted: FoundSpaces['untrusted']): readonly string[] {
  if (untrusted.length === 0) return [];
  const names = untrusted.map(({ name }) => name).join(', ');
  const [are, them] = untrusted.length === 1 ? ['is', 'it'] : ['are', 'them'];
  return [`${names} ${are} not trusted and not used. To look at ${them} and trust ${them}: bae trust`];
}
