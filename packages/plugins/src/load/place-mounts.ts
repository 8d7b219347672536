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
import type { Mount, MountedThing } from './resolve-mounts.ts';
import { PluginCode } from './plugin-code.ts';

/** What mounted spaces are made with. */
export interface PlaceOptions {
  /** Values for what makes the spaces: constructors, or a function `spaces(options, provided)`. */
  readonly provide: readonly Provision[];
  /** Spaces that mounts name, by these names. */
  readonly builtIn: Readonly<Record<string, SpaceSource>>;
}

type Children = Readonly<Record<string, SpaceSource>>;

/** Makes the spaces below home from mounts. A name that is only part of paths becomes a place without tools. */
export function placeMounts(mounts: readonly Mount[], options: PlaceOptions): readonly SpaceSource[] {
  return Object.values(makeSources(mounts, 0, options));
}

/** Makes the spaces at one level of the paths, by name. */
function makeSources(mounts: readonly Mount[], depth: number, options: PlaceOptions): Children {
  const groups = Map.groupBy(mounts, ({ path }) => path[depth]!);
  const entries = Array.from(groups, ([name, group]) => {
    const mount = group.findLast(({ path }) => path.length === depth + 1);
    const below = group.filter(({ path }) => path.length > depth + 1);
    return [
      name,
      makeSource(name, mount?.thing, { children: makeSources(below, depth + 1, options), options }),
    ] as const;
  });
  return Object.fromEntries(entries);
}

interface Placement {
  /** What is mounted below a space besides its own children. */
  readonly children: Children;
  readonly options: PlaceOptions;
}

function makeSource(name: string, thing: MountedThing | undefined, placement: Placement): SpaceSource {
  const { children, options } = placement;
  if (thing === undefined) {
    const names = Object.keys(children).map((child) => `${name}.${child}()`);
    const description = `A place for ${names.join(', ')}.`;
    return defineResourcespace({ name, description, tools: {}, children: () => children });
  }
  if (thing.type === 'plugin') return placePlugin(name, thing, placement);
  const source = thing.type === 'source' ? thing.source : options.builtIn[thing.name]!;
  const isUnchanged = readSpaceName(source) === name && Object.keys(children).length === 0;
  return isUnchanged ? source : remountSpace(name, source, placement);
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
