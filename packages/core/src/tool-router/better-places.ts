import { callable } from '../protocol/space-path.ts';
import type { SpaceDefinition } from '../protocol/resourcespace.ts';
import type { SpacePath, SpaceTree } from '../protocol/space-tree.ts';

/** Places that an error names at most. */
const MOST_PLACES = 3;

/** True when a space has a tool of its own by that name. */
export function supports(space: SpaceDefinition | undefined, verb: string): boolean {
  return space !== undefined && Object.hasOwn(space.tools, verb);
}

/**
 * Where else a verb is supported, as mentions: children first, then parents (nearest first), other
 * root spaces, home. At most three.
 */
export function betterPlaces(tree: SpaceTree, at: SpacePath, verb: string): readonly string[] {
  const children = tree.below(at).map(({ name }) => [...at, name]);
  const parents = at.map((_, depth) => at.slice(0, depth)).filter((path) => path.length > 0);
  const roots = tree.below([]).map(({ name }) => [name]);
  const home = at.length === 0 ? [] : [[]];
  const here = callable(at);
  const places = [...children, ...parents.toReversed(), ...roots, ...home]
    .filter((path) => supports(tree.at(path), verb))
    .map(callable)
    .filter((place) => place !== here);
  return [...new Set(places)].slice(0, MOST_PLACES);
}
