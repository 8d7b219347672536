import type { SpacePath, SpaceTree } from '@bae/core';
import { VERBS } from '@bae/core/pipeline';

/** A space with everything below it, as data. */
export interface SpaceOutline {
  readonly name: string;
  /** Dotted; `home` for home. */
  readonly path: string;
  readonly description: string;
  /** The common verbs in their usual order, then the others by name. */
  readonly tools: readonly string[];
  readonly children: readonly SpaceOutline[];
}

/** The names that a text may mention: home and root spaces, and tools besides the common verbs. */
export interface KnownNames {
  readonly spaces: ReadonlySet<string>;
  readonly tools: ReadonlySet<string>;
}

/** Levels followed; a space that lists itself below itself would be endless. */
const DEEPEST = 10;

/** All spaces from home down. */
export function outlineSpaces(tree: SpaceTree, path: SpacePath = []): SpaceOutline {
  const space = tree.at(path) ?? tree.home;
  const below = path.length < DEEPEST ? tree.below(path) : [];
  return {
    name: path.at(-1) ?? 'home',
    path: path.join('.') || 'home',
    description: space.description,
    tools: Object.keys(space.tools).toSorted((left, right) => rank(left) - rank(right) || (left < right ? -1 : 1)),
    children: below.map(({ name }) => outlineSpaces(tree, [...path, name])),
  };
}

/** The names that the parser has to know to read a text as an agent with these spaces would. */
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
