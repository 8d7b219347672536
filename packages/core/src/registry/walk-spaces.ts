import type { SpaceDefinition } from '../protocol/resourcespace.ts';
import type { SpacePath, SpaceTree } from '../protocol/space-tree.ts';

/** Spaces visited at most: a space that lists itself below itself would otherwise be endless. */
const MOST_SPACES = 10_000;

/** A space and where it is. */
export interface PlacedSpace {
  readonly path: SpacePath;
  readonly space: SpaceDefinition;
}

/** Every space below home: level by level, each level in alphabetical order. */
export function* walkSpaces(tree: SpaceTree): Generator<PlacedSpace> {
  const ahead: SpacePath[] = [[]];
  let visited = 0;
  for (const parent of ahead) {
    for (const space of tree.below(parent)) {
      if (++visited > MOST_SPACES) return;
      const path = [...parent, space.name];
      yield { path, space };
      ahead.push(path);
    }
  }
}
