import { NAV_BREADTH, NAV_DEPTH } from '../protocol/limits.ts';
import { formatMention, type SpacePath, type SpaceTree } from '../protocol/space-path.ts';

const HERE = '  <-- you are here';

/**
 * The map of spaces as plain text, two levels deep and a dozen wide, the rest as counts. The way down
 * to the location is always shown, however deep it is.
 */
export function renderSpaceTree(tree: SpaceTree, at: SpacePath): string {
  return [`home${at.length === 0 ? HERE : ''}`, ...linesBelow(tree, [], at)].join('\n');
}

function linesBelow(tree: SpaceTree, path: SpacePath, at: SpacePath): readonly string[] {
  const names = tree.below(path).map((space) => space.name);
  const indent = '  '.repeat(path.length + 1);
  const shown = shownNames(names, path.length, nextOnTheWay(path, at));
  const lines = shown.flatMap((name) => {
    const child = [...path, name];
    const isHere = child.length === at.length && isOnTheWay(child, at);
    return [`${indent}${formatMention(child)}${isHere ? HERE : ''}`, ...linesBelow(tree, child, at)];
  });
  const hidden = names.length - shown.length;
  return hidden > 0 ? [...lines, `${indent}+${hidden} more`] : lines;
}

function shownNames(names: readonly string[], depth: number, wanted: string | undefined): readonly string[] {
  if (depth >= NAV_DEPTH) return names.filter((name) => name === wanted);
  const first = names.slice(0, NAV_BREADTH);
  if (wanted === undefined || first.includes(wanted) || !names.includes(wanted)) return first;
  return [...first.slice(0, -1), wanted];
}

/** The child of a path through which the location is reached, if it is. */
function nextOnTheWay(path: SpacePath, at: SpacePath): string | undefined {
  return isOnTheWay(path, at) ? at[path.length] : undefined;
}

function isOnTheWay(path: SpacePath, at: SpacePath): boolean {
  return path.every((name, index) => name === at[index]);
}
