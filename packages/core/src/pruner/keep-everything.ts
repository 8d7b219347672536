import type { Pruner } from '../protocol/pruner.ts';

/** The pruner that removes nothing: for people and programs that want whole answers. */
export const keepEverything: Pruner = {
  prune: (text) => ({ text }),
};
