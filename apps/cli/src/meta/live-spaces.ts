import { relative } from 'node:path';
import type { SpaceSource } from '@bae/core';
import type { Mount, PlaceOptions, Plugin } from '@bae/plugins';
import type { MetaHost, ReloadableSpace, SpaceRequest, SpaceScaffold } from '@bae/source';
import { BUILT_IN } from '../built-in-spaces.ts';
import { realPath } from '../dev/code-stamp.ts';
import { LiveSpace } from './live-space.ts';
import type { PackageLoader, SpaceOrder } from './package-loader.ts';
import { runningSpaces } from './running-spaces.ts';

interface Member extends SpaceOrder {
  readonly plugin: Plugin;
  readonly live: LiveSpace;
}

/** How mounts become spaces. */
export interface Placing {
  readonly options: PlaceOptions;
  readonly place: (mounts: readonly Mount[], options: PlaceOptions) => readonly SpaceSource[];
}

/** The spaces of one session that come from packages in its workspace: their code can be loaded anew. */
export class LiveSpaces implements MetaHost {
  readonly #root: string;
  readonly #members = new Map<string, Member>();
  readonly #loaders = new Map<string, PackageLoader>();
  /** Of all spaces and places below home. */
  readonly #names = new Set(Object.keys(BUILT_IN));

  /** @param root of the workspace, absolute */
  constructor(root: string) {
    this.#root = realPath(root);
  }

  /** A mount as it is; one of a package in the workspace so that its code can be replaced. */
  adopt(mount: Mount, { options, place }: Placing): Mount {
    const { thing, path } = mount;
    this.#names.add(path[0]!);
    if (thing.type !== 'plugin' || !isInside(this.#root, thing.plugin.folder)) return mount;
    const name = path.at(-1)!;
    const [original] = place([{ ...mount, path: [name] }], options);
    const live = new LiveSpace(name, original!, options);
    const { plugin, space } = thing;
    const order = { ownName: space.name, options: thing.options, provide: options.provide };
    this.#members.set(path.join('.'), { ...order, plugin, live });
    return { ...mount, thing: { type: 'source', source: live.source } };
  }

  spaces(): readonly ReloadableSpace[] {
    const own = [...this.#members].map(([name, { plugin }]) => ({ name, folder: plugin.folder, needsRestart: false }));
    return [...own, ...runningSpaces().filter(({ folder }) => isInside(this.#root, folder))].map((space) => ({
      ...space,
      folder: relative(this.#root, space.folder),
    }));
  }

  /** Loads the whole package: those of its spaces that are in use are replaced together, or none is. */
  async reload(name: string, signal: AbortSignal): Promise<void> {
    const { plugin } = this.#members.get(name)!;
    const loader = await this.#loader(plugin);
    await loader.build(signal);
    const members = [...this.#members.values()].filter((one) => one.plugin.folder === plugin.folder);
    const opened = await loader.open(members);
    for (const [index, { live }] of members.entries()) await live.replace(opened[index]!);
  }

  async putBack(name: string, signal: AbortSignal): Promise<void> {
    const loader = await this.#loader(this.#members.get(name)!.plugin);
    await loader.refresh(signal);
  }

  async scaffold(request: SpaceRequest): Promise<SpaceScaffold> {
    const { newSpace } = await import('./new-space.ts');
    const folders = [...this.#members.values()].map(({ plugin }) => relative(this.#root, plugin.folder));
    return newSpace(request, {
      root: this.#root,
      folders: folders.filter((folder) => folder !== ''),
      taken: this.#names,
    });
  }

  async #loader(plugin: Plugin): Promise<PackageLoader> {
    const { PackageLoader: Loader } = await import('./package-loader.ts');
    const loader = this.#loaders.get(plugin.folder) ?? new Loader(plugin);
    this.#loaders.set(plugin.folder, loader);
    return loader;
  }
}

function isInside(root: string, folder: string): boolean {
  const below = relative(root, folder).split('/');
  return below[0] !== '..' && !below.includes('node_modules');
}
