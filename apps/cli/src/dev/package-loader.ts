import { openSpaces, type Provision, type SpaceDefinition } from '@bae/core';
import { FreshModules, pluginModule, type Plugin, type PluginModule } from '@bae/plugins';
import { findDevPackage, runBuild } from './dev-package.ts';

export interface SpaceOrder {
  /** Its name in the package. */
  readonly ownName: string;
  /** As in the configuration. */
  readonly options: unknown;
  readonly provide: readonly Provision[];
}

export interface OpenedSpace {
  readonly space: SpaceDefinition;
  dispose(): Promise<void>;
}

/** Builds and loads one package again and again. */
export class PackageLoader {
  readonly #plugin: Plugin;
  readonly #modules: FreshModules;

  constructor(plugin: Plugin) {
    this.#plugin = plugin;
    this.#modules = new FreshModules(plugin.folder);
  }

  /** @throws Error with the output of a failed build */
  async build(signal: AbortSignal): Promise<void> {
    const { folder } = this.#plugin;
    const problem = await runBuild(await findDevPackage(folder, folder), signal);
    if (problem !== undefined) throw new Error(`it cannot be built:\n${problem}`);
  }

  /** Builds and loads the current code. Ignores failures. */
  async refresh(signal: AbortSignal): Promise<void> {
    try {
      await this.build(signal);
      await this.#modules.load(this.#plugin.entry);
    } catch {
      // The next call of the space reports the failure.
    }
  }

  /** Opens spaces from the current code: all of them, or none. @throws when the code does, or a space is gone */
  async open(orders: readonly SpaceOrder[]): Promise<readonly OpenedSpace[]> {
    const { name, entry } = this.#plugin;
    const module = pluginModule(name, await this.#modules.load(entry));
    const opened: OpenedSpace[] = [];
    try {
      for (const order of orders) opened.push(openSpace(order, module));
      return opened;
    } catch (error) {
      await Promise.all(opened.map((one) => one.dispose()));
      throw error;
    }
  }
}

function openSpace({ ownName, options, provide }: SpaceOrder, module: PluginModule): OpenedSpace {
  const given = module.options === undefined ? options : module.options.parse(options ?? {});
  const { tree, dispose } = openSpaces({ spaces: module.spaces(given, provide), provide });
  const space = tree.at([ownName]);
  if (space === undefined) throw new Error(`it has no space named ${ownName} any more`);
  return { space, dispose };
}
