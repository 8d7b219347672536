import type { SpaceDefinition } from '../protocol/resourcespace.ts';
import { optionalMembers } from './optional-members.ts';

/** The same space under another name, as a child is known by the name its parent lists it under. */
export function renameSpace(space: SpaceDefinition, name: string): SpaceDefinition {
  if (space.name === name) return space;
  const { description, group } = space;
  return {
    name,
    description,
    ...(group !== undefined && { group }),
    // Asked for anew each time: the tools of a mounted server may change.
    get tools() {
      return space.tools;
    },
    enter: () => space.enter(),
    children: () => space.children(),
    ...optionalMembers(space),
  };
}
