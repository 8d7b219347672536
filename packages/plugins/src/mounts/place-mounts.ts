import { createAgent, defineResourcespace, type Provision, type SpaceDefinition, type SpaceSource } from '@bae/core';
import { PluginError } from '../errors/plugin-error.ts';
import { lazySpace } from '../code/lazy-space.ts';
import { PluginCode } from '../code/plugin-code.ts';
import { spaceName } from '../code/space-name.ts';
import { folderDigest } from '../trust/folder-digest.ts';
import type { Mount, MountedThing } from './mount.ts';
import { perSession } from './per-session.ts';

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
 * The spaces below home that mounts make together: with the names that were chosen for them, one below the
 * other where that was asked for. A name that only others stand below becomes a place without tools.
 */
export function placeMounts(mounts: readonly Mount[], options: PlaceOptions): readonly SpaceSource[] {
  const root: Node = { below: new Map() };
  for (const mount of mounts) nodeAt(root, mount.path).mount = mount;
  return Object.values(sourcesBelow(root, options));
}

function nodeAt(root: Node, path: readonly string[]): Node {
  let node = root;
  for (const name of path) {
    const next = node.below.get(name) ?? { below: new Map<string, Node>() };
    node.below.set(name, next);
    node = next;
  }
  return node;
}

function sourcesBelow({ below }: Node, options: PlaceOptions): Children {
  return Object.fromEntries([...below].map(([name, node]) => [name, sourceOf(name, node, options)]));
}

function sourceOf(name: string, node: Node, options: PlaceOptions): SpaceSource {
  const children = sourcesBelow(node, options);
  const { mount } = node;
  if (mount === undefined) return place(name, children);
  const { thing } = mount;
  if (thing.type === 'plugin') return pluginSpace(name, thing, { children, options });
  const source = thing.type === 'source' ? thing.source : options.builtIn[thing.name]!;
  const isAsItIs = spaceName(source) === name && node.below.size === 0;
  return isAsItIs ? source : renamed(name, source, { children, options });
}

/** A place that is there for the sake of those below it. */
function place(name: string, children: Children): SpaceSource {
  const names = Object.keys(children).map((child) => `${name}.${child}()`);
  return defineResourcespace({
    name,
    description: `A place for ${names.join(', ')}.`,
    tools: {},
    children: () => children,
  });
}

interface Surroundings {
  /** What is mounted below a space besides its own children. */
  readonly children: Children;
  readonly options: PlaceOptions;
}

function pluginSpace(
  name: string,
  { plugin, space: manifest, options, digest }: Extract<MountedThing, { type: 'plugin' }>,
  { children, options: { provide } }: Surroundings,
): SpaceSource {
  const permit = () => {
    if (folderDigest(plugin.folder) === digest) return;
    throw new PluginError(
      `${plugin.name} was changed since you trusted it, and nothing of it was run. Look at it and trust it again, then start bae anew.`,
      [`bae trust ${plugin.folder}`],
    );
  };
  const make = () => {
    const code = new PluginCode({ plugin, options, provide, permit });
    const space = lazySpace({ code, path: [manifest.name], name, manifest });
    return extended(space, children, () => code.dispose());
  };
  return perSession({ name, description: manifest.description, make });
}

function renamed(name: string, source: SpaceSource, { children, options: { provide } }: Surroundings): SpaceSource {
  const make = () => {
    // A session of its own makes the space, whatever it is given as, and lets go of it.
    const agent = createAgent({ spaces: [source], provide });
    const [space] = agent.tree.below([]);
    const named: SpaceDefinition = {
      ...space!,
      name,
      // Asked for anew each time: the tools of a mounted server may change.
      get tools() {
        return space!.tools;
      },
    };
    return extended(named, children, () => agent.close());
  };
  return perSession({ name, description: `${name}.`, make });
}

/** The same space with more below it, and with its own way to let go. */
function extended(space: SpaceDefinition, more: Children, dispose: () => Promise<void>): SpaceDefinition {
  const own = space.children.bind(space);
  return Object.assign(space, { children: () => ({ ...own(), ...more }), dispose });
}
