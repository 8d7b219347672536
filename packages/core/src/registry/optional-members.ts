import type { Resourcespace, SpaceDefinition } from '../protocol/resourcespace.ts';

/** What a space may have besides its required members, as functions that can be called on their own. */
export function optionalMembers(
  space: Resourcespace | SpaceDefinition,
): Pick<SpaceDefinition, 'status' | 'search' | 'dispose'> {
  return {
    ...(space.status && { status: () => space.status!() }),
    ...(space.search && { search: (query: string, limit: number) => space.search!(query, limit) }),
    ...(space.dispose && { dispose: () => space.dispose!() }),
  };
}
