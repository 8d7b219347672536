import { ResourceError } from '../errors/call-errors.ts';
import { findNearestName } from '../nearest-name/nearest-name.ts';
import { ORIENTATION_BREADTH, PATH_CAP } from '../protocol/limits.ts';
import { formatMention, formatSpacePath, parsePath, type SpacePath, type SpaceTree } from '../protocol/space-path.ts';
import { walkSpaces } from './walk-spaces.ts';

/** Longest name repeated in an error, in characters. */
const LONGEST_NAME = 60;

/**
 * The path that a dotted name means at a location. Its first name is a root space if there is one of
 * that name, else a child of the location, else of what is above it, nearest first.
 *
 * @throws ResourceError naming the segment that is not there, and the nearest name or what there is
 */
export function resolveSpace(tree: SpaceTree, from: SpacePath, target: string): SpacePath {
  const names = parsePath(target);
  const [first, ...rest] = names;
  if (first === undefined) return [];
  const start = findStart(tree, from, first);
  if ((start ?? []).length + names.length > PATH_CAP)
    throw createDepthError(target, (start ?? []).length + names.length);
  if (start === undefined) throw createRootError({ tree, from, name: first, isLast: rest.length === 0 });
  let path = [...start, first];
  for (const [index, name] of rest.entries()) {
    const next = [...path, name];
    if (tree.at(next) === undefined)
      throw createChildError({ tree, from: path, name, isLast: index === rest.length - 1 });
    path = next;
  }
  return path;
}

/** The path below which the first name is found; undefined when it is nowhere. */
function findStart(tree: SpaceTree, from: SpacePath, first: string): SpacePath | undefined {
  if (tree.at([first]) !== undefined) return [];
  for (let depth = from.length; depth > 0; depth--) {
    const start = from.slice(0, depth);
    if (tree.at([...start, first]) !== undefined) return start;
  }
  return undefined;
}

/** The nearest path above and including one at which there is a space. */
export function findNearestAncestor(tree: SpaceTree, path: SpacePath): SpacePath {
  let ancestor = path;
  while (ancestor.length > 0 && tree.at(ancestor) === undefined) ancestor = ancestor.slice(0, -1);
  return ancestor;
}

interface Miss {
  readonly tree: SpaceTree;
  /** The location for a first name, else the space that lacks the name. */
  readonly from: SpacePath;
  readonly name: string;
  readonly isLast: boolean;
}

function createRootError({ tree, from, name, isLast }: Miss): ResourceError {
  for (const path of isLast ? [from, []] : []) {
    if (!hasTool(tree, path, name)) continue;
    const advice = path === from ? `You are in ${formatSpacePath(path)}: use ${name} here.` : adviseToEnter(path, name);
    return new ResourceError(`${name} is a tool of ${formatSpacePath(path)}, not a space.\n${advice}`);
  }
  const everywhere = new Map<string, SpacePath>();
  for (const { path, space } of walkSpaces(tree)) {
    // The walk comes from the top, so the first of a name is the one to suggest.
    if (!everywhere.has(space.name)) everywhere.set(space.name, path);
  }
  const best = everywhere.get(findNearestName(name, everywhere.keys()) ?? '');
  return createMissError(`no space '${truncateName(name)}'.`, best, listAvailable(tree, []) ?? 'No spaces registered.');
}

function createChildError({ tree, from, name, isLast }: Miss): ResourceError {
  const parent = formatSpacePath(from);
  if (isLast && hasTool(tree, from, name)) {
    return new ResourceError(`${name} is a tool of ${parent}, not a space.\n${adviseToEnter(from, name)}`);
  }
  const names = tree.below(from).map((space) => space.name);
  const best = findNearestName(name, names);
  const fact = `no space '${truncateName(name)}' in ${parent}.`;
  return createMissError(
    fact,
    best === undefined ? undefined : [...from, best],
    listAvailable(tree, from) ?? `${parent} has no subspaces.`,
  );
}

function createMissError(fact: string, best: SpacePath | undefined, otherwise: string): ResourceError {
  return new ResourceError(`${fact}\n${best === undefined ? otherwise : `Did you mean ${formatMention(best)}?`}`);
}

/** `Available: memory(), source()`; undefined when there is nothing below the path. */
function listAvailable(tree: SpaceTree, path: SpacePath): string | undefined {
  const spaces = tree.below(path);
  if (spaces.length === 0) return undefined;
  const shownSpaces = spaces.slice(0, ORIENTATION_BREADTH).map((space) => formatMention([...path, space.name]));
  const hidden = spaces.length - shownSpaces.length;
  return `Available: ${shownSpaces.join(', ')}${hidden > 0 ? `, +${hidden} more: nav()` : ''}`;
}

/** True when the space at a path has a tool of its own by that name. */
export function hasTool(tree: SpaceTree, path: SpacePath, name: string): boolean {
  return Object.hasOwn(tree.at(path)?.tools ?? {}, name);
}

function adviseToEnter(path: SpacePath, name: string): string {
  return `Enter ${formatMention(path)} and use ${name} there.`;
}

function createDepthError(target: string, depth: number): ResourceError {
  return new ResourceError(
    `'${truncateName(target.trim())}' is ${depth} levels deep; a path has at most ${PATH_CAP}.\nSee what there is: nav()`,
  );
}

function truncateName(name: string): string {
  const points = Array.from(name.replaceAll(/\s+/g, ' '));
  return points.length <= LONGEST_NAME ? points.join('') : `${points.slice(0, LONGEST_NAME).join('')}…`;
}
