import type { SpaceDefinition } from './resourcespace.ts';

/** Names of the spaces from the root down; empty at home. */
export type SpacePath = readonly string[];

/** Read-only view of the spaces that currently exist. */
export interface SpaceTree {
  readonly home: SpaceDefinition;
  /** Returns the space at a path, home for the empty path; undefined if it does not exist, or no longer exists. */
  at(path: SpacePath): SpaceDefinition | undefined;
  /** Returns the spaces directly below a path, sorted by name. */
  below(path: SpacePath): readonly SpaceDefinition[];
}

/** Formats a place as an address: `source.meta`, `home`. */
export function formatSpacePath(path: SpacePath): string {
  return path.join('.') || 'home';
}

/** Formats a place for display: `home > source > meta`. */
export function formatBreadcrumb(path: SpacePath): string {
  return ['home', ...path].join(' > ');
}

/** Formats a place as the tag that enters it: `source.meta()`, `home()`. */
export function formatMention(path: SpacePath): string {
  return `${formatSpacePath(path)}()`;
}

/**
 * Parses a dotted path as people and models write it: `source.meta`, also `@source.meta()`.
 *
 * A leading `home` is left out, so `home` itself is the empty path. Nothing is checked: an empty string
 * is a path of one empty name.
 */
export function parsePath(text: string): SpacePath {
  const names = text
    .trim()
    .replace(/^@/, '')
    .split('.')
    .map((name) => name.trim().replace(/\(\)$/, ''));
  return names[0] === 'home' ? names.slice(1) : names;
}

/** The result of a move. */
export interface Move {
  readonly from: SpacePath;
  /** Location after the move. */
  readonly to: SpacePath;
  /** False if the location did not change. */
  readonly moved: boolean;
}
