import { InvalidSpaceError } from '../errors/setup-errors.ts';
import { PATH_CAP } from '../protocol/limits.ts';
import type { SpaceDefinition, SpaceSource } from '../protocol/resourcespace.ts';
import type { SpacePath, SpaceTree } from '../protocol/space-tree.ts';
import { checkSpaceName, checkToolNames } from './check-space.ts';
import { ChildSpaces } from './child-spaces.ts';
import { customToolNames, LazyNames, type NameSet } from './lazy-names.ts';
import { describeSpace } from './space-definition.ts';
import { walkSpaces } from './walk-spaces.ts';

/**
 * Which spaces exist right now: those registered below home, those home itself lists, and whatever
 * their `children()` say at the moment of the call. Registering never moves anybody.
 */
export class Registry implements SpaceTree {
  readonly home: SpaceDefinition;
  private readonly roots = new Map<string, SpaceDefinition>();
  private readonly children: ChildSpaces;

  /**
   * @param home the space whose tools act at home; its name is not used
   * @param instantiate makes a space of whatever `children()` may list; by default anything but classes
   * @throws InvalidSpaceError when home lacks a member or has a tool of a forbidden name
   */
  constructor(
    home: SpaceDefinition,
    private readonly instantiate: (source: SpaceSource) => SpaceDefinition = withoutClasses,
  ) {
    this.home = describeSpace(home);
    checkToolNames(this.home);
    this.children = new ChildSpaces(instantiate);
  }

  /**
   * Adds a space below home.
   *
   * @throws InvalidSpaceError when a member is missing, the name is taken or means something else
   *   already, or a tool is named like something built in
   */
  register(source: SpaceSource): void {
    const space = this.instantiate(source);
    checkSpaceName(space);
    checkToolNames(space);
    if (this.root(space.name) !== undefined) {
      throw new InvalidSpaceError(`two spaces are named '${space.name}'. Give one of them another name.`);
    }
    this.roots.set(space.name, space);
  }

  at(path: SpacePath): SpaceDefinition | undefined {
    if (path.length > PATH_CAP) return undefined;
    const [first, ...rest] = path;
    if (first === undefined) return this.home;
    let space = this.root(first);
    for (const name of rest) space = space && this.children.get(space, name);
    return space;
  }

  below(path: SpacePath): readonly SpaceDefinition[] {
    const space = path.length < PATH_CAP ? this.at(path) : undefined;
    if (space === undefined) return [];
    const children = this.children.of(space);
    if (path.length > 0) return children.toSorted(byName);
    return [...this.roots.values(), ...children.filter(({ name }) => !this.roots.has(name))].toSorted(byName);
  }

  /**
   * The names that a text may mention: home and spaces, those of the root first, and tools besides the verbs
   * (`help` included).
   *
   * Each is looked up as late as possible and then remembered, so take a fresh one for each text.
   */
  names(): { readonly spaces: NameSet; readonly tools: NameSet } {
    return { spaces: new LazyNames(this.spaceNames()), tools: new LazyNames(customToolNames(this)) };
  }

  private root(name: string): SpaceDefinition | undefined {
    return this.roots.get(name) ?? this.children.get(this.home, name);
  }

  private *spaceNames(): Generator<string> {
    yield 'home';
    yield* this.roots.keys();
    for (const { space } of walkSpaces(this)) yield space.name;
  }
}

function withoutClasses(source: SpaceSource): SpaceDefinition {
  if (typeof source === 'function') {
    throw new InvalidSpaceError(`class ${source.name} cannot be instantiated here. Pass an instance of it.`);
  }
  return describeSpace(source);
}

function byName(left: SpaceDefinition, right: SpaceDefinition): number {
  return left.name < right.name ? -1 : 1;
}
