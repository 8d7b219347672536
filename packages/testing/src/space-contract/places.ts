import type { SpaceDefinition } from '@bae/core';
import type { OpenSpace } from './open-space.ts';

/** How far down a tree, and how many of its spaces, are looked at. */
const DEEPEST = 4;
const MOST = 24;

/** A space of the tree under test. */
export interface Place {
  /** Dotted: `tickets.archive`. */
  readonly path: string;
  readonly space: SpaceDefinition;
}

/** The space and those below it, from the top. */
export function placesOf({ agent, definition }: OpenSpace): readonly Place[] {
  const places: Place[] = [{ path: definition.name, space: definition }];
  for (const { path } of places) {
    const names = path.split('.');
    if (names.length >= DEEPEST || places.length >= MOST) break;
    places.push(...agent.tree.below(names).map((space) => ({ path: `${path}.${space.name}`, space })));
  }
  return places.slice(0, MOST);
}

/** Every tool of a place, named as it is called from anywhere. */
export function toolsOf(places: readonly Place[]) {
  return places.flatMap(({ path, space }) =>
    Object.values(space.tools).map((tool) => ({ tool, space, name: `${path}.${tool.name}` })),
  );
}
