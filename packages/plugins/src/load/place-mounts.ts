import {
  defineResourcespace,
  openSpaces,
  type Provision,
  type SpaceDefinition,
  type SpaceFactory,
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
  for (const mount of mounts) ensureNode(root, mount.path).mount = mount;
  return Object.values(makeSources(root, options));
}

function ensureNode(root: Node, path: readonly string[]): Node {
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
  return isUnchanged ? source : remountSpace(name, source, { children, options });
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
): SpaceFactory {
  const permit = () => {
    if (folderDigest(plugin.folder) === digest) return;
    throw new PluginError(
      `${plugin.name} was changed since you trusted it, and nothing of it was run. Look at it and trust it again, then restart bae.`,
      [`bae trust ${plugin.folder}`],
    );
  };
  return {
    name,
    create: () => {
      const code = new PluginCode({ plugin, options, provide, permit });
      const space = makeLazySpace({ code, path: [manifest.name], name, manifest });
      return addChildren(space, children, () => code.dispose());
    },
  };
}

/** A space of its own under the name of the mount: one source may be mounted more than once. */
function remountSpace(name: string, source: SpaceSource, { children, options: { provide } }: Placement): SpaceFactory {
  return {
    name,
    create: () => {
      const { tree, dispose } = openSpaces({ spaces: [source], provide });
      return addChildren(tree.below([])[0]!, children, dispose);
    },
  };
}

function addChildren(space: SpaceDefinition, more: Children, dispose: () => Promise<void>): SpaceDefinition {
  return {
    ...space,
    // Read each time: the tools of a mounted server may change.
    get tools() {
      return space.tools;
    },
    children: () => ({ ...space.children(), ...more }),
    dispose,
  };
}
