import type { SpacePath, SpaceTree } from '@bae/core';
import { VERBS } from '@bae/core/pipeline';

export interface SpaceOutline {
  readonly name: string;
  /** Dotted path; `home` for home. */
  readonly path: string;
  readonly description: string;
  /** Common verbs in their usual order, then the others by name. */
  readonly tools: readonly string[];
  readonly children: readonly SpaceOutline[];
}

/** Names for the parser: home and root spaces, and tools other than the common verbs. */
export interface KnownNames {
  readonly spaces: ReadonlySet<string>;
  readonly tools: ReadonlySet<string>;
}

/** Maximum number of levels, because a space may contain itself. */
const DEEPEST = 10;

/** @param levels number of levels of children, which are created to be listed. Default: 10 */
export function outlineSpaces(tree: SpaceTree, path: SpacePath = [], levels = DEEPEST): SpaceOutline {
  const space = tree.at(path) ?? tree.home;
  const below = levels > 0 ? tree.below(path) : [];
  return {
    name: path.at(-1) ?? 'home',
    path: path.join('.') || 'home',
    description: space.description,
    tools: Object.keys(space.tools).toSorted((left, right) => rank(left) - rank(right) || (left < right ? -1 : 1)),
    children: below.map(({ name }) => outlineSpaces(tree, [...path, name], levels - 1)),
  };
}

export function collectNames(tree: SpaceTree): KnownNames {
  const outline = outlineSpaces(tree);
  const custom = listSpaces(outline)
    .flatMap(({ tools }) => tools)
    .filter((name) => rank(name) === VERBS.length);
  return {
    spaces: new Set(['home', ...outline.children.map(({ name }) => name)]),
    tools: new Set(['help', ...custom]),
  };
}

export function listSpaces(outline: SpaceOutline): readonly SpaceOutline[] {
  return [outline, ...outline.children.flatMap(listSpaces)];
}

function rank(name: string): number {
  const at = VERBS.findIndex((verb) => verb === name);
  return at < 0 ? VERBS.length : at;
}
