import type { SpacePath } from './space-tree.ts';

/** What became of a request to go somewhere. */
export interface Move {
  readonly from: SpacePath;
  /** The location afterwards. */
  readonly to: SpacePath;
  /** False when the location already was the one asked for, or there was nowhere to go. */
  readonly moved: boolean;
}
