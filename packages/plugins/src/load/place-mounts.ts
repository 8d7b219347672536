import {
  createAgent,
  defineResourcespace,
  resourcespace,
  type Provision,
  type Resourcespace,
  type SpaceDefinition,
  type SpaceSource,
} from '@bae/core';
import { PluginError } from '../plugin-error.ts';
import { folderDigest } from '../trust/digests.ts';
import { readSpaceName } from './import-plugin.ts';
import { makeLazySpace } from './lazy-space.ts';
import type { Mount, MountedThing } from './mount.ts';
import { PluginCode } from './plugin-code.ts';

/** What mounted spaces are made with. */
export interface PlaceOptions {
  /** Values for what makes the spaces: constructors, or a function `spaces(options, provided)`. */
  readonly provide: readonly Provision[];
  /** Spaces that mounts name, by these names. */
  readonly builtIn: Readonly<Record<string, SpaceSource>>;
}

/** One name: what is mounted there, and what is mounted below it. */
interface Node {
  mount?: Mount;
  readonly below: Map<string, Node>;
}

type Children = Readonly<Record<string, SpaceSource>>;

/**
 * Makes the spaces below home from mounts, under the names that were chosen for them, one below the other where
 * that was asked for. A name that is only part of other paths becomes a place without tools.
 */
export function placeMounts(mounts: readonly Mount[], options: PlaceOptions): readonly SpaceSource[] {
  const root: Node = { below: new Map() };
  for (const mount of mounts) addNode(root, mount.path).mount = mount;
  return Object.values(makeSources(root, options));
}

function addNode(root: Node, path: readonly string[]): Node {
  let node = root;
  for (const name of path) {
    const next = node.below.get(name) ?? { below: new Map<string, Node>() };
    node.below.set(name, next);
    node = next;
  }
  return node;
}

function makeSources({ below }: Node, options: PlaceOptions): Children {
  return Object.fromEntries([...below].map(([name, node]) => [name, makeSource(name, node, options)]));
}

function makeSource(name: string, node: Node, options: PlaceOptions): SpaceSource {
  const children = makeSources(node, options);
  const { mount } = node;
  if (mount === undefined) return makePlace(name, children);
  const { thing } = mount;
  if (thing.type === 'plugin') return placePlugin(name, thing, { children, options });
  const source = thing.type === 'source' ? thing.source : options.builtIn[thing.name]!;
  const isUnchanged = readSpaceName(source) === name && node.below.size === 0;
  return isUnchanged ? source : renameSpace(name, source, { children, options });
}

/** A space without tools that only leads to those below it. */
function makePlace(name: string, children: Children): SpaceSource {
  const names = Object.keys(children).map((child) => `${name}.${child}()`);
  return defineResourcespace({
    name,
    description: `A place for ${names.join(', ')}.`,
    tools: {},
    children: () => children,
  });
}

interface Placement {
  /** What is mounted below a space besides its own children. */
  readonly children: Children;
  readonly options: PlaceOptions;
}

function placePlugin(
  name: string,
  { plugin, space: manifest, options, digest }: Extract<MountedThing, { type: 'plugin' }>,
  { children, options: { provide } }: Placement,
): SpaceSource {
  const permit = () => {
    if (folderDigest(plugin.folder) === digest) return;
    throw new PluginError(
      `${plugin.name} was changed since you trusted it, and nothing of it was run. Look at it and trust it again, then restart bae.`,
      [`bae trust ${plugin.folder}`],
    );
  };
  const make = () => {
    const code = new PluginCode({ plugin, options, provide, permit });
    const space = makeLazySpace({ code, path: [manifest.name], name, manifest });
    return addChildren(space, children, () => code.dispose());
  };
  return perSession({ name, description: manifest.description, make });
}

function renameSpace(name: string, source: SpaceSource, { children, options: { provide } }: Placement): SpaceSource {
  const make = () => {
    // A session of its own makes the space, whatever form it has, and disposes of it.
    const agent = createAgent({ spaces: [source], provide });
    const [space] = agent.tree.below([]);
    const named: SpaceDefinition = {
      ...space!,
      name,
      // Read each time: the tools of a mounted server may change.
      get tools() {
        return space!.tools;
      },
    };
    return addChildren(named, children, () => agent.close());
  };
  return perSession({ name, description: `${name}.`, make });
}

/** The same space with more spaces below it, and with another way to dispose of it. */
function addChildren(space: SpaceDefinition, more: Children, dispose: () => Promise<void>): SpaceDefinition {
  const own = space.children.bind(space);
  return Object.assign(space, { children: () => ({ ...own(), ...more }), dispose });
}

interface SpaceMaker {
  readonly name: string;
  readonly description: string;
  readonly make: () => SpaceDefinition;
}

/**
 * A space that each session makes for itself, and disposes of at its end. Sessions do that with classes, so this
 * is a class whose constructor returns what was made.
 */
function perSession({ name, description, make }: SpaceMaker): SpaceSource {
  class SpaceOfSession implements Resourcespace {
    constructor() {
      return make();
    }

    enter(): string | Promise<string> {
      return '';
    }
  }
  resourcespace({ name, description })(SpaceOfSession);
  return SpaceOfSession;
}
