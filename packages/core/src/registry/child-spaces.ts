import { spaceNameProblem } from '../decorators/resourcespace.ts';
import { errorLine } from '../errors/bae-error.ts';
import type { SpaceDefinition, SpaceSource } from '../protocol/resourcespace.ts';
import { checkSpaceName, checkToolNames } from './check-space.ts';
import { renameSpace } from './rename-space.ts';

interface Adopted {
  readonly source: SpaceSource;
  readonly space: SpaceDefinition;
}

/**
 * The spaces below a space, as its `children()` says at the moment of the call.
 *
 * A child keeps its record for as long as its source stays the same. Nothing that a broken space does
 * gets out: where `children()` fails there are none, and a child that cannot be made is an empty space
 * whose description says why. Names that cannot be typed as a path are left out.
 */
export class ChildSpaces {
  private readonly adopted = new WeakMap<SpaceDefinition, Map<string, Adopted>>();

  constructor(private readonly instantiate: (source: SpaceSource) => SpaceDefinition) {}

  /** All children, in the order the space lists them. */
  of(parent: SpaceDefinition): readonly SpaceDefinition[] {
    return Object.entries(sourcesOf(parent))
      .filter(([name, source]) => isChild(name, source))
      .map(([name, source]) => this.adopt(parent, name, source));
  }

  /** One child, without making the others. */
  get(parent: SpaceDefinition, name: string): SpaceDefinition | undefined {
    const sources = sourcesOf(parent);
    const source = Object.hasOwn(sources, name) ? sources[name] : undefined;
    return source !== undefined && isChild(name, source) ? this.adopt(parent, name, source) : undefined;
  }

  private adopt(parent: SpaceDefinition, name: string, source: SpaceSource): SpaceDefinition {
    const siblings = this.adopted.get(parent) ?? new Map<string, Adopted>();
    const known = siblings.get(name);
    if (known?.source === source) return known.space;
    try {
      const space = renameSpace(this.instantiate(source), name);
      checkSpaceName(space);
      checkToolNames(space);
      this.adopted.set(parent, siblings.set(name, { source, space }));
      return space;
    } catch (error) {
      return brokenSpace(name, error);
    }
  }
}

function sourcesOf(parent: SpaceDefinition): Readonly<Record<string, SpaceSource>> {
  try {
    const children: unknown = parent.children();
    // A copy, so that a getter that throws does so here.
    return typeof children === 'object' ? { ...(children as Readonly<Record<string, SpaceSource>>) } : {};
  } catch {
    return {};
  }
}

/** A child may be listed without being there: `{ tests: hasTests ? TestsSpace : undefined }`. */
function isChild(name: string, source: SpaceSource | null | undefined): boolean {
  return source !== undefined && source !== null && spaceNameProblem({ name, description: name }) === undefined;
}

function brokenSpace(name: string, error: unknown): SpaceDefinition {
  const description = `unavailable: ${errorLine(error)}`;
  return { name, description, tools: {}, enter: () => '', children: () => ({}) };
}
