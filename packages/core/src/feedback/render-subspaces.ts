import { errorLine } from '../errors/bae-error.ts';
import { HEAD_LINE_CAP, NAV_BREADTH } from '../protocol/limits.ts';
import { callable, type SpacePath, type SpaceTree } from '../protocol/space-path.ts';
import { plainLine } from '../tool-spec/plain-text.ts';
import { clipped } from './render-within.ts';

/** The spaces below one with what they are for; only their names when there are many. */
export function renderSubspaces(tree: SpaceTree, at: SpacePath): string {
  const children = tree.below(at);
  if (children.length === 0 || children.length > NAV_BREADTH) return renderSubspaceNames(tree, at);
  const lines = children.map(({ name, description }) => {
    return clipped(`  ${callable([...at, name])} -- ${plainLine(description)}`, HEAD_LINE_CAP);
  });
  return ['Subspaces:', ...lines].join('\n');
}

/** The spaces below one as a single line; empty when there are none, a note when it cannot be told. */
export function renderSubspaceNames(tree: SpaceTree, at: SpacePath): string {
  const children = tree.below(at);
  if (children.length === 0) return childrenProblem(tree, at);
  const names = children.slice(0, NAV_BREADTH).map(({ name }) => callable([...at, name]));
  const hidden = children.length - names.length;
  return `Subspaces: ${names.join(', ')}${hidden > 0 ? `, +${hidden} more` : ''}`;
}

/** A tree shows no children where `children()` fails, so ask once more, for the reason. */
function childrenProblem(tree: SpaceTree, at: SpacePath): string {
  try {
    const children: unknown = tree.at(at)?.children();
    if (children === undefined || (typeof children === 'object' && children !== null)) return '';
    return `Subspaces: unavailable: children() returned ${children === null ? 'null' : typeof children}`;
  } catch (error) {
    return `Subspaces: unavailable: ${errorLine(error)}`;
  }
}
