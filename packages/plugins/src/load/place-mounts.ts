import { join } from 'node:path';
import {
  defineResourcespace,
  openSpaces,
  type Provision,
  type SpaceDefinition,
  type SpaceFactory,
  type SpaceSource,
  type Hook,
} from '@bae/core';
import type { SecretPlace } from '../options/secret-options.ts';
import { PluginError } from '../plugin-error.ts';
import { hashFolder } from '../trust/trust-subject.ts';
import type { TrustedCode } from '../trust/trusted-modules.ts';
import { readSpaceName } from './import-plugin.ts';
import { createIsolatedCode, PackageProcess } from '../isolate/isolated-code.ts';
import { type CodeOptions, DATA_FOLDER, makeLazySpace, createPluginCode } from './lazy-space.ts';
import { makeLazyHooks } from './package-hooks.ts';
import type { Mount, MountedThing } from './resolve-mounts.ts';

/** Locations of the secrets and data of packages. */
export interface PluginPlace extends SecretPlace {
  /** Folder that contains a data folder for each package, absolute. Default: packages have none. */
  readonly dataFolder?: string;
}

type Session = Parameters<SpaceFactory['create']>[0];

interface Given {
  readonly provide: readonly Provision[];
  readonly place: PluginPlace | undefined;
}

interface Placing extends Given {
  /** Returns the process of a package in a session, by its folder. */
  readonly processOf: (session: Session, folder: string) => PackageProcess;
}

type Children = Readonly<Record<string, SpaceSource>>;

/**
 * Makes the spaces below home from mounts. A name that occurs only within paths becomes a place without tools.
 *
 * @param provide values for constructors, or for a function `spaces(options, provided)`
 * @param place of this user and workspace. Default: options have no secrets, and packages no data folder
 */
export function placeMounts(
  mounts: readonly Mount[],
  provide: readonly Provision[],
  place?: PluginPlace,
): readonly SpaceSource[] {
  const sessions = new WeakMap<Session, Map<string, PackageProcess>>();
  const processOf = (session: Session, folder: string): PackageProcess => {
    const processes = sessions.get(session) ?? new Map<string, PackageProcess>();
    sessions.set(session, processes);
    const process = processes.get(folder) ?? new PackageProcess();
    processes.set(folder, process);
    return process;
  };
  return Object.values(makeSources(mounts, 0, { provide, place, processOf }));
}

/** Makes the spaces at one level of the paths, by name. */
function makeSources(mounts: readonly Mount[], depth: number, given: Placing): Children {
  const groups = Map.groupBy(mounts, ({ path }) => path[depth]!);
  const entries = Array.from(groups, ([name, group]) => {
    const mount = group.findLast(({ path }) => path.length === depth + 1);
    const below = group.filter(({ path }) => path.length > depth + 1);
    const children = makeSources(below, depth + 1, given);
    return [name, mount === undefined ? makePlace(name, children) : makeSource(mount, children, given)] as const;
  });
  return Object.fromEntries(entries);
}

function makePlace(name: string, children: Children): SpaceSource {
  const names = Object.keys(children).map((child) => `${name}.${child}()`);
  const description = `A place for ${names.join(', ')}.`;
  return defineResourcespace({ name, description, tools: {}, children: () => children });
}

/** Makes a separate space under the name of the mount, because a source may be mounted more than once. */
function makeSource({ path, thing }: Mount, children: Children, given: Placing): SpaceSource {
  const name = path.at(-1)!;
  const source = thing.type === 'source' ? thing.source : undefined;
  if (source !== undefined && readSpaceName(source) === name && Object.keys(children).length === 0) return source;
  const create: SpaceFactory['create'] = (session) => {
    const { space, dispose } =
      thing.type === 'plugin' ? openPlugin(name, thing, { ...given, session }) : openSource(source!, given.provide);
    return {
      ...space,
      // Read each time, because the tools of a mounted server may change.
      get tools() {
        return space.tools;
      },
      children: () => ({ ...space.children(), ...children }),
      dispose,
    };
  };
  return { name, create };
}

/**
 * Makes the hooks of the mounted packages, in the order of the mounts. No code is loaded until a hook is needed.
 *
 * @param provide and `place`: as for `placeMounts`
 */
export function placeHooks(
  mounts: readonly Mount[],
  provide: readonly Provision[],
  place?: PluginPlace,
): readonly Hook[] {
  const known = new Set<string>();
  return mounts.flatMap(({ thing, key }) => {
    // A package with several spaces has a mount for each.
    if (thing.type !== 'plugin' || known.has(`${thing.plugin.folder} ${key}`)) return [];
    known.add(`${thing.plugin.folder} ${key}`);
    return makeLazyHooks(toCodeOptions(thing, { provide, place }));
  });
}

type MountedPlugin = Extract<MountedThing, { type: 'plugin' }>;

interface OpenedSpace {
  readonly space: SpaceDefinition;
  readonly dispose: () => Promise<void>;
}

function openSource(source: SpaceSource, provide: readonly Provision[]): OpenedSpace {
  const { tree, dispose } = openSpaces({ spaces: [source], provide });
  return { space: tree.below([])[0]!, dispose };
}

function openPlugin(
  name: string,
  thing: MountedPlugin,
  { session, processOf, ...given }: Placing & { readonly session: Session },
): OpenedSpace {
  const { space: manifest, process, plugin } = thing;
  const options = toCodeOptions(thing, given);
  const code = process.isOwn
    ? createIsolatedCode({ ...options, provide: [], packageProcess: processOf(session, plugin.folder) })
    : createPluginCode(options);
  return { space: makeLazySpace({ code, path: [manifest.name], name, manifest }), dispose: () => code.dispose() };
}

/** Returns the options for loading the code of a mounted package. */
function toCodeOptions(
  { plugin, options, digest, trust }: MountedPlugin,
  { provide, place }: Given,
): CodeOptions & { readonly dataFolder?: string | undefined } {
  const permit = (): TrustedCode => {
    const { digest: current, files } = hashFolder(plugin.folder);
    if (current === digest) return { name: plugin.name, path: plugin.folder, files, trust };
    const problem = `${plugin.name} was changed since you trusted it, and nothing of it was run.`;
    const remedy = 'Look at it and trust it again, then restart bae.';
    throw new PluginError(`${problem} ${remedy}`, [`bae trust ${plugin.folder}`]);
  };
  const dataFolder = place?.dataFolder === undefined ? undefined : join(place.dataFolder, plugin.name);
  const data = dataFolder === undefined ? [] : [{ token: DATA_FOLDER, value: dataFolder }];
  return { plugin, options, provide: [...provide, ...data], place, permit, dataFolder };
}
