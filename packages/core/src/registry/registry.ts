import { checkSpaceName, describeNameProblem } from '../decorators/resourcespace.ts';
import { formatErrorLine, InvalidSpaceError } from '../errors/bae-error.ts';
import { PATH_CAP } from '../protocol/limits.ts';
import type { SpaceDefinition, SpaceSource } from '../protocol/resourcespace.ts';
import type { SpacePath, SpaceTree } from '../protocol/space-path.ts';
import { listCustomTools, LazyNames, walkSpaces } from './navigation.ts';
import { checkToolNames, describeSpace, renameSpace } from './space-definition.ts';
import { isFactory } from './space-maker.ts';

/**
 * Registry of the spaces that currently exist: those registered below home, and those listed by `children()` of home
 * and of each space.
 */
export class Registry implements SpaceTree {
  readonly home: SpaceDefinition;
  readonly #roots = new Map<string, SpaceDefinition>();
  /** Sorted when first listed: they are listed in every step, and there may be hundreds. */
  #sortedRoots: readonly SpaceDefinition[] | undefined;
  readonly #instantiate: (source: SpaceSource) => SpaceDefinition;
  /** Children created so far, by parent and name. */
  readonly #adopted = new WeakMap<SpaceDefinition, Map<string, Adopted>>();

  /**
   * @param home the space whose tools act at home; its name is not used
   * @param instantiate creates a space from any source that `children()` may list; by default any except classes
   * @throws InvalidSpaceError if home lacks a member or has a tool with a forbidden name
   */
  constructor(home: SpaceDefinition, instantiate: (source: SpaceSource) => SpaceDefinition = describeGivenSpace) {
    this.#instantiate = instantiate;
    this.home = describeSpace(home);
    checkToolNames(this.home);
  }

  /**
   * Adds a space below home.
   *
   * @param only the names of the spaces that may be added; others are left out
   * @throws InvalidSpaceError if a member is missing, the name is taken or already has another meaning, or a tool has
   *   the name of a built-in
   */
  register(source: SpaceSource, only?: readonly string[]): void {
    const space = this.#instantiate(source);
    if (only?.includes(space.name) === false) return;
    checkSpaceName(space);
    checkToolNames(space);
    if (this.#findRoot(space.name) !== undefined) {
      throw new InvalidSpaceError(`two spaces are named '${space.name}'. Give one of them another name.`);
    }
    this.#roots.set(space.name, space);
    this.#sortedRoots = undefined;
  }

  at(path: SpacePath): SpaceDefinition | undefined {
    if (path.length > PATH_CAP) return undefined;
    const [first, ...rest] = path;
    if (first === undefined) return this.home;
    let space = this.#findRoot(first);
    for (const name of rest) space = space && this.#getChild(space, name);
    return space;
  }

  below(path: SpacePath): readonly SpaceDefinition[] {
    const space = path.length < PATH_CAP ? this.at(path) : undefined;
    if (space === undefined) return [];
    const children = Object.entries(readChildren(space))
      .filter(([name, source]) => isChild(name, source))
      .map(([name, source]) => this.#adopt(space, name, source));
    if (path.length > 0) return children.toSorted(byName);
    const roots = (this.#sortedRoots ??= [...this.#roots.values()].toSorted(byName));
    const others = children.filter(({ name }) => !this.#roots.has(name));
    return others.length === 0 ? roots : [...roots, ...others].toSorted(byName);
  }

  /**
   * Returns the names that a text may mention: home and spaces, with root spaces first, and tools other than the verbs
   * (including `help`). Each name is looked up as late as possible and then remembered, so request new ones for each
   * text.
   */
  names(): { readonly spaces: LazyNames; readonly tools: LazyNames } {
    return { spaces: new LazyNames(this.#spaceNames()), tools: new LazyNames(listCustomTools(this)) };
  }

  #findRoot(name: string): SpaceDefinition | undefined {
    return this.#roots.get(name) ?? this.#getChild(this.home, name);
  }

  /** Returns one child without creating the others. */
  #getChild(parent: SpaceDefinition, name: string): SpaceDefinition | undefined {
    const sources = readChildren(parent);
    const source = Object.hasOwn(sources, name) ? sources[name] : undefined;
    return source !== undefined && isChild(name, source) ? this.#adopt(parent, name, source) : undefined;
  }

  /**
   * Returns the record of a child, which stays the same as long as its source does; all factories of one name count as
   * the same. A child that cannot be created is an empty space whose description gives the reason.
   */
  #adopt(parent: SpaceDefinition, name: string, source: SpaceSource): SpaceDefinition {
    const siblings = this.#adopted.get(parent) ?? new Map<string, Adopted>();
    const cached = siblings.get(name);
    const isSame = cached && (cached.source === source || (isFactory(cached.source) && isFactory(source)));
    if (isSame) return cached.space;
    try {
      const space = renameSpace(this.#instantiate(source), name);
      checkSpaceName(space);
      checkToolNames(space);
      this.#adopted.set(parent, siblings.set(name, { source, space }));
      return space;
    } catch (error) {
      return brokenSpace(name, error);
    }
  }

  *#spaceNames(): Generator<string> {
    yield 'home';
    yield* this.#roots.keys();
    for (const { space } of walkSpaces(this)) yield space.name;
  }
}

function describeGivenSpace(source: SpaceSource): SpaceDefinition {
  if (typeof source === 'function' || isFactory(source)) {
    throw new InvalidSpaceError(`${source.name} cannot be created here. Pass an instance or a record of a space.`);
  }
  return describeSpace(source);
}

function byName(left: SpaceDefinition, right: SpaceDefinition): number {
  return left.name < right.name ? -1 : 1;
}

interface Adopted {
  readonly source: SpaceSource;
  readonly space: SpaceDefinition;
}

function readChildren(parent: SpaceDefinition): Readonly<Record<string, SpaceSource>> {
  try {
    const children: unknown = parent.children();
    // Copied so that a getter that throws does so here.
    return typeof children === 'object' ? { ...(children as Readonly<Record<string, SpaceSource>>) } : {};
  } catch {
    return {};
  }
}

/**
 * Returns true for an existing child: one may be listed without existing, `{ tests: hasTests ? TestsSpace : undefined
 * }`.
 */
function isChild(name: string, source: SpaceSource | null | undefined): boolean {
  return source !== undefined && source !== null && describeNameProblem({ name, description: name }) === undefined;
}

function brokenSpace(name: string, error: unknown): SpaceDefinition {
  const description = `unavailable: ${formatErrorLine(error)}`;
  return { name, description, tools: {}, enter: () => '', children: () => ({}) };
}
