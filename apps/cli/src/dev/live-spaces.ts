import { dirname, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { openSpaces, type Provision, type SpaceDefinition, type SpaceFactory, type SpaceSource } from '@bae/core';
import type { FreshModules, Mount, Plugin, PluginModule } from '@bae/plugins';
import type { MetaHost, ReloadableSpace } from '@bae/source';
import { OWN_NAMES } from '../built-in-spaces.ts';
import { resolveLinks } from '../config/disk.ts';

interface Member {
  readonly plugin: Plugin;
  /** Name of the space in its package. */
  readonly ownName: string;
  readonly options: unknown;
  readonly provide: readonly Provision[];
  readonly live: LiveSpace;
}

interface Placing {
  readonly provide: readonly Provision[];
  readonly place: (mounts: readonly Mount[], provide: readonly Provision[]) => readonly SpaceSource[];
}

/** Spaces of a session that come from packages in its workspace, so that their code can be reloaded. */
export interface LiveSpaces extends MetaHost {
  /** Makes the code of a mount replaceable. Returns the same mount if its package is not in the workspace. */
  adopt(mount: Mount, placing: Placing): Mount;
}

/** @param folder of the workspace, absolute */
export function createLiveSpaces(folder: string): LiveSpaces {
  const root = resolveLinks(folder);
  const members = new Map<string, Member>();
  /** Modules of each package, by package folder. */
  const modules = new Map<string, FreshModules>();
  /** Names of all spaces and places below home. */
  const taken = new Set(OWN_NAMES);

  /** Builds a package, and loads its current code. @throws Error with the output of a failed build */
  const load = async (plugin: Plugin, signal: AbortSignal): Promise<PluginModule> => {
    const { findDevPackage, runBuild } = await import('./dev-package.ts');
    const { FreshModules: Modules, pluginModule } = await import('@bae/plugins');
    const problem = await runBuild(await findDevPackage(plugin.folder, plugin.folder), signal);
    if (problem !== undefined) throw new Error(`it cannot be built:\n${problem}`);
    const own = modules.get(plugin.folder) ?? new Modules(plugin.folder);
    modules.set(plugin.folder, own);
    return pluginModule(plugin.name, await own.load(plugin.entry));
  };

  return {
    adopt(mount, { provide, place }) {
      const { thing, path } = mount;
      taken.add(path[0]!);
      if (thing.type !== 'plugin' || !isInside(root, thing.plugin.folder)) return mount;
      const name = path.at(-1)!;
      const [original] = place([{ ...mount, path: [name] }], provide);
      const live = createLiveSpace(name, original!, provide);
      const { plugin, space, options } = thing;
      members.set(path.join('.'), { plugin, ownName: space.name, options, provide, live });
      return { ...mount, thing: { type: 'source', source: live.source } };
    },
    spaces() {
      const own = [...members].map(([name, { plugin }]) => ({ name, folder: plugin.folder, needsRestart: false }));
      const all = [...own, ...listBuiltIn().filter((space) => isInside(root, space.folder))];
      return all.map((space) => ({ ...space, folder: relative(root, space.folder) }));
    },
    /** Replaces either all spaces of the package that are in use, or none. */
    async reload(name, signal) {
      const { plugin } = members.get(name)!;
      const module = await load(plugin, signal);
      const reloaded = [...members.values()].filter((one) => one.plugin.folder === plugin.folder);
      const opened: OpenedSpace[] = [];
      try {
        for (const member of reloaded) opened.push(openMember(member, module));
      } catch (error) {
        await Promise.all(opened.map((one) => one.dispose()));
        throw error;
      }
      for (const [index, { live }] of reloaded.entries()) await live.replace(opened[index]);
    },
    async rebuild(name, signal) {
      // The next call to the space reports a failure.
      await load(members.get(name)!.plugin, signal).catch(() => undefined);
    },
    async scaffold(request) {
      const { scaffoldNewSpace } = await import('../create/new-space.ts');
      const folders = [...members.values()].map(({ plugin }) => relative(root, plugin.folder));
      return scaffoldNewSpace(request, { root, folders: folders.filter((below) => below !== ''), taken });
    },
  };
}

function openMember({ ownName, options, provide }: Member, module: PluginModule): OpenedSpace {
  const given = module.options === undefined ? options : module.options.parse(options ?? {});
  const { tree, dispose } = openSpaces({ spaces: module.spaces(given, provide), provide });
  const space = tree.at([ownName]);
  if (space === undefined) throw new Error(`it has no space named ${ownName} any more`);
  return { space, dispose };
}

function isInside(root: string, folder: string): boolean {
  const below = relative(root, folder).split('/');
  return below[0] !== '..' && !below.includes('node_modules');
}

/** Lists the built-in spaces. bae itself uses their code, so a change requires a restart. */
function listBuiltIn(): readonly ReloadableSpace[] {
  return ['filesystem', 'source', 'tasks'].map((name) => {
    const entry = fileURLToPath(import.meta.resolve(`@bae/${name}`));
    // The entry is in `dist/`.
    return { name, folder: dirname(dirname(entry)), needsRestart: true };
  });
}

interface OpenedSpace {
  readonly space: SpaceDefinition;
  dispose(): Promise<void>;
}

/** Space whose code can be replaced while a session uses it. */
interface LiveSpace {
  /** Space to register, which delegates to the current code. */
  readonly source: SpaceFactory;
  /** Disposes of the current space. Without a replacement, the original is opened when it is needed. */
  replace(next: OpenedSpace | undefined): Promise<void>;
}

function createLiveSpace(name: string, original: SpaceSource, provide: readonly Provision[]): LiveSpace {
  let opened: OpenedSpace | undefined;
  const open = (): OpenedSpace => {
    const { tree, dispose } = openSpaces({ spaces: [original], provide });
    return { space: tree.below([])[0]!, dispose };
  };
  const getCurrent = (): SpaceDefinition => (opened ??= open()).space;
  const replace = async (next: OpenedSpace | undefined): Promise<void> => {
    const before = opened;
    opened = next;
    await before?.dispose();
  };
  const create = (): SpaceDefinition => {
    const current = getCurrent();
    const { description, group } = current;
    return {
      name,
      description,
      ...(group !== undefined && { group }),
      get tools() {
        return getCurrent().tools;
      },
      enter: () => getCurrent().enter(),
      children: () => getCurrent().children(),
      status: () => getCurrent().status?.() ?? {},
      ...(current.search !== undefined && {
        search: async (query: string, limit: number) => (await getCurrent().search?.(query, limit)) ?? [],
      }),
      dispose: () => replace(undefined),
    };
  };
  return { source: { name, create }, replace };
}
