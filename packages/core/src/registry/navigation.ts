import { ResourceError, type MissingName } from '../errors/bae-error.ts';
import { findNearestName } from '../nearest-name/nearest-name.ts';
import { HISTORY_CAP, ORIENTATION_BREADTH, PATH_CAP, NAV_BREADTH, NAV_DEPTH } from '../protocol/limits.ts';
import {
  formatMention,
  formatSpacePath,
  type Move,
  parsePath,
  type SpacePath,
  type SpaceTree,
} from '../protocol/space-path.ts';
import { joinFirst } from '../text-size/text-size.ts';
import { VERBS } from '../protocol/verbs.ts';

/** Current location of one session, and its earlier ones. */
export class Navigation {
  readonly #tree: SpaceTree;
  #location: SpacePath;
  #history: readonly SpacePath[];

  constructor(tree: SpaceTree, location: SpacePath = [], history: readonly SpacePath[] = []) {
    this.#tree = tree;
    this.#location = location;
    this.#history = history;
  }

  /** Places to which `back` returns, most recent last. */
  get history(): readonly SpacePath[] {
    return this.#history;
  }

  /** The current location; empty at home. */
  get location(): SpacePath {
    return this.#location;
  }

  /**
   * Moves to a space by its dotted name, or to `home`, `back` or `up`. A move to the current location changes nothing,
   * and neither does a failure.
   *
   * @throws ResourceError if there is no such space
   */
  go(target: string): Move {
    const [name, ...rest] = parsePath(target);
    if (rest.length === 0 && name === 'back') return this.#back();
    if (rest.length === 0 && name === 'up')
      return this.#enter(findNearestAncestor(this.#tree, this.#location.slice(0, -1)));
    return this.#enter(resolveSpace(this.#tree, this.#location, target));
  }

  /**
   * Leaves a space that has disappeared for its nearest existing ancestor.
   *
   * @returns a sentence about what happened; undefined if the location still exists
   */
  settle(): string | undefined {
    const previous = this.#location;
    this.#location = findNearestAncestor(this.#tree, previous);
    if (this.#location.length === previous.length) return undefined;
    return `${formatSpacePath(previous)} no longer exists; you are in ${formatSpacePath(this.#location)} now. See what there is: nav()`;
  }

  #enter(to: SpacePath): Move {
    const from = this.#location;
    if (formatSpacePath(from) === formatSpacePath(to)) return { from, to, moved: false };
    this.#history = [...this.#history, from, ...listLevelsBetween(from, to)].slice(-HISTORY_CAP);
    this.#location = to;
    return { from, to, moved: true };
  }

  /** Remembered places may have disappeared, so that several of them may now be the same place. */
  #back(): Move {
    const from = this.#location;
    while (this.#history.length > 0) {
      const to = findNearestAncestor(this.#tree, this.#history.at(-1)!);
      this.#history = this.#history.slice(0, -1);
      if (formatSpacePath(to) === formatSpacePath(from)) continue;
      this.#location = to;
      return { from, to, moved: true };
    }
    return { from, to: from, moved: false };
  }
}

/**
 * Lists the levels between the common beginning of two paths and the second path, as if the session had moved through
 * each of them.
 */
function listLevelsBetween(from: SpacePath, to: SpacePath): readonly SpacePath[] {
  let common = 0;
  while (common < to.length && from[common] === to[common]) common++;
  return to.slice(common, -1).map((_, index) => to.slice(0, common + index + 1));
}

const LONGEST_NAME = 60;

/**
 * Returns the path that a dotted name refers to at a location. The first name is a root space if there is one with that
 * name, otherwise a child of the location, otherwise a child of the nearest ancestor that has one.
 *
 * @throws ResourceError naming the segment that does not exist, and the nearest name or the available ones
 */
export function resolveSpace(tree: SpaceTree, from: SpacePath, target: string): SpacePath {
  const names = parsePath(target);
  const [first, ...rest] = names;
  if (first === undefined) return [];
  const start = findStart(tree, from, first);
  const depth = (start ?? []).length + names.length;
  if (depth > PATH_CAP) {
    const fact = `'${truncateName(target.trim())}' is ${depth} levels deep; a path has at most ${PATH_CAP}.`;
    throw new ResourceError(`${fact}\nSee what there is: nav()`);
  }
  if (start === undefined) throw createMissError({ tree, from, name: first, isLast: rest.length === 0 });
  let path = [...start, first];
  for (const [index, name] of rest.entries()) {
    const isLast = index === rest.length - 1;
    const next = [...path, name];
    if (tree.at(next) === undefined) throw createMissError({ tree, from, name, isLast, parent: path });
    path = next;
  }
  return path;
}

/** Returns the path below which the first name is found; undefined if it is not found. */
function findStart(tree: SpaceTree, from: SpacePath, first: string): SpacePath | undefined {
  if (tree.at([first]) !== undefined) return [];
  for (let depth = from.length; depth > 0; depth--) {
    const start = from.slice(0, depth);
    if (tree.at([...start, first]) !== undefined) return start;
  }
  return undefined;
}

/** Returns the path itself if there is a space there, otherwise its nearest ancestor with a space. */
export function findNearestAncestor(tree: SpaceTree, path: SpacePath): SpacePath {
  let ancestor = path;
  while (ancestor.length > 0 && tree.at(ancestor) === undefined) ancestor = ancestor.slice(0, -1);
  return ancestor;
}

interface Miss {
  readonly tree: SpaceTree;
  readonly from: SpacePath;
  readonly name: string;
  readonly isLast: boolean;
  /** Path of the space that lacks the name; absent for a first name, which is searched for everywhere. */
  readonly parent?: SpacePath;
}

function createMissError({ tree, from, name, isLast, parent }: Miss): ResourceError {
  const owners = parent === undefined ? [from, []] : [parent];
  const owner = isLast ? owners.find((path) => hasTool(tree, path, name)) : undefined;
  if (owner !== undefined) {
    const place = formatSpacePath(owner);
    const isHere = parent === undefined && owner === from;
    const advice = isHere ? `You are in ${place}: use ${name} here.` : `Enter ${place}() and use ${name} there.`;
    return new ResourceError(`${name} is a tool of ${place}, not a space.\n${advice}`);
  }
  const paths = new Map<string, SpacePath>();
  const children = parent && tree.below(parent).map((space) => ({ path: [...parent, space.name], space }));
  for (const { path, space } of children ?? walkSpaces(tree)) {
    // The walk starts at the top, so the first space of a name is the one to suggest.
    if (!paths.has(space.name)) paths.set(space.name, path);
  }
  const best = paths.get(findNearestName(name, paths.keys()) ?? '');
  const where = parent === undefined ? '' : ` in ${formatSpacePath(parent)}`;
  const remedy = best === undefined ? listAvailable(tree, parent ?? []) : `Did you mean ${formatMention(best)}?`;
  return new ResourceError(`no space '${truncateName(name)}'${where}.\n${remedy}`);
}

/** Lists the spaces below a path: `Available: memory(), source()`. */
function listAvailable(tree: SpaceTree, path: SpacePath): string {
  const mentions = tree.below(path).map(({ name }) => formatMention([...path, name]));
  if (mentions.length > 0) return `Available: ${joinFirst(mentions, ORIENTATION_BREADTH, ' more: nav()')}`;
  return path.length === 0 ? 'No spaces registered.' : `${formatSpacePath(path)} has no subspaces.`;
}

/** Returns true if the space at a path has its own tool of that name. */
export function hasTool(tree: SpaceTree, path: SpacePath, name: string): boolean {
  return Object.hasOwn(tree.at(path)?.tools ?? {}, name);
}

function truncateName(name: string): string {
  const points = Array.from(name.replaceAll(/\s+/g, ' '));
  return points.length <= LONGEST_NAME ? points.join('') : `${points.slice(0, LONGEST_NAME).join('')}…`;
}

/** Maximum number of spaces visited: a space that lists itself as a child would otherwise never end. */
const MOST_SPACES = 10_000;

/** Yields every space below home with its path: level by level, each level in alphabetical order. */
export function* walkSpaces(tree: SpaceTree) {
  const ahead: SpacePath[] = [[]];
  let visited = 0;
  for (const parent of ahead) {
    for (const space of tree.below(parent)) {
      if (++visited > MOST_SPACES) return;
      const path = [...parent, space.name];
      yield { path, space };
      ahead.push(path);
    }
  }
}

/** Names from a source that is read only as far as necessary, and only once. */
export class LazyNames implements Iterable<string> {
  readonly #source: Iterator<string>;
  readonly #names = new Set<string>();

  constructor(source: Iterator<string>) {
    this.#source = source;
  }

  has(name: string): boolean {
    return this.#names.has(name) || this.#readThrough(name);
  }

  [Symbol.iterator](): Iterator<string> {
    this.#readThrough();
    return this.#names.values();
  }

  /** Reads the source up to a name, or to its end. */
  #readThrough(name?: string): boolean {
    for (let next = this.#source.next(); next.done !== true; next = this.#source.next()) {
      this.#names.add(next.value);
      if (next.value === name) return true;
    }
    return false;
  }
}

/** Yields `help`, and the tools of every space that are not verbs; spaces nearer to home come first. */
export function* listCustomTools(tree: SpaceTree): Generator<string> {
  const verbs: ReadonlySet<string> = new Set(VERBS);
  const custom = (tools: object) => Object.keys(tools).filter((name) => !verbs.has(name));
  yield 'help';
  yield* custom(tree.home.tools);
  for (const { space } of walkSpaces(tree)) yield* custom(space.tools);
}

/** What has a name that home does not have: its space, and its address there. */
export interface Elsewhere {
  readonly space: string;
  readonly target: string;
  /** False if it has a similar name. */
  readonly isExact: boolean;
}

/** Asks the spaces for a name that home does not have: the first that has it, else the first with a similar name. */
export async function locateElsewhere(tree: SpaceTree, { name, hasNear }: MissingName): Promise<Elsewhere | undefined> {
  let nearest: Elsewhere | undefined;
  for (const { name: space } of tree.below([])) {
    const found = await tree.at([space])?.locate?.(name, !hasNear);
    if (found?.isExact === true) return { space, ...found };
    nearest ??= found && { space, ...found };
  }
  return nearest;
}

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
