import { NAV_BREADTH, NAV_DEPTH } from '../protocol/limits.ts';
import { formatMention, type SpacePath, type SpaceTree } from '../protocol/space-path.ts';

const HERE = '  <-- you are here';

/**
 * Renders the map of spaces as plain text, two levels deep and twelve wide, with the rest as counts. The path to the
 * location is always shown, however deep it is.
 */
export function renderSpaceTree(tree: SpaceTree, at: SpacePath): string {
  return [`home${at.length === 0 ? HERE : ''}`, ...linesBelow(tree, [], at)].join('\n');
}

function linesBelow(tree: SpaceTree, path: SpacePath, at: SpacePath): readonly string[] {
  const names = tree.below(path).map((space) => space.name);
  const indent = '  '.repeat(path.length + 1);
  // Name of the child that leads to the location, if there is one.
  const wanted = path.every((name, index) => name === at[index]) ? at[path.length] : undefined;
  const shown = selectNames(names, path.length, wanted);
  const lines = shown.flatMap((name) => {
    const child = [...path, name];
    const here = name === wanted && child.length === at.length ? HERE : '';
    return [`${indent}${formatMention(child)}${here}`, ...linesBelow(tree, child, at)];
  });
  const hidden = names.length - shown.length;
  return hidden > 0 ? [...lines, `${indent}+${hidden} more`] : lines;
}

function selectNames(names: readonly string[], depth: number, wanted: string | undefined): readonly string[] {
  if (depth >= NAV_DEPTH) return names.filter((name) => name === wanted);
  const first = names.slice(0, NAV_BREADTH);
  if (wanted === undefined || first.includes(wanted) || !names.includes(wanted)) return first;
  return [...first.slice(0, -1), wanted];
}
