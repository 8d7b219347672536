import type { SpaceDefinition } from './resourcespace.ts';

/** Names of the spaces from the root down; empty at home. */
export type SpacePath = readonly string[];

/** Read-only view of which spaces exist right now. */
export interface SpaceTree {
  readonly home: SpaceDefinition;
  /** The space at a path, home for the empty one; undefined when it is not there (any more). */
  at(path: SpacePath): SpaceDefinition | undefined;
  /** Spaces directly below a path, sorted by name. */
  below(path: SpacePath): readonly SpaceDefinition[];
}
