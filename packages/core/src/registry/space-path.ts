import type { SpacePath } from '../protocol/space-tree.ts';

export { breadcrumb, dotted } from '../protocol/space-path.ts';

/**
 * Reads a dotted path as people and models write it: `source.meta`, also `@source.meta()`.
 *
 * A leading `home` is left out, so `home` itself is the empty path. Nothing is checked: an empty text
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
