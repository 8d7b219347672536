import { defineResourcespace, openSpaces, type Provision, type SpaceDefinition } from '@bae/core';
import { codeDigest, FreshModules, pluginModule } from '@bae/plugins';
import { deriveDefaultOptions, runBuild, type DevPackage } from './dev-package.ts';

/** Outcome of loading a package. */
export type Loaded =
  | { readonly type: 'loaded'; readonly spaces: readonly SpaceDefinition[] }
  | { readonly type: 'same' }
  | { readonly type: 'failed'; readonly reason: string };

/** Opens the spaces of a package from its current code. If that cannot be loaded, the earlier spaces stay. */
export function openLivePackage(found: DevPackage, provide: readonly Provision[]) {
  const { name, folder, entry } = found;
  const modules = new FreshModules(folder);
  let loadedDigest = '';
  let opened: ReturnType<typeof openSpaces> | undefined;
  let last: Promise<Loaded> = Promise.resolve({ type: 'same' });
  const listSpaces = (): readonly SpaceDefinition[] => opened?.tree.below([]) ?? [];

  const load = async (signal: AbortSignal): Promise<Loaded> => {
    const problem = await runBuild(found, signal);
    if (problem !== undefined) return { type: 'failed', reason: `it cannot be built:\n${problem}` };
    const digest = codeDigest(entry);
    if (digest === loadedDigest) return { type: 'same' };
    try {
      const module = pluginModule(name, await modules.load(entry));
      const before = opened;
      opened = openSpaces({ spaces: module.spaces(deriveDefaultOptions(module), provide), provide });
      loadedDigest = digest;
      await before?.dispose();
      return { type: 'loaded', spaces: listSpaces() };
    } catch (error) {
      return { type: 'failed', reason: error instanceof Error ? `${error.name}: ${error.message}` : String(error) };
    }
  };

  return {
    /** Space whose children are the current spaces of the package. */
    home: defineResourcespace({
      name: 'dev',
      description: `The spaces of ${name}, as its code is now.`,
      tools: {},
      children: () => Object.fromEntries(listSpaces().map((space) => [space.name, space])),
    }),
    /** Builds the package, and loads its code if it has changed. Reloads run one after another. Never rejects. */
    reload: (signal: AbortSignal): Promise<Loaded> => (last = last.then(() => load(signal))),
    close: async (): Promise<void> => {
      await last;
      modules[Symbol.dispose]();
      await opened?.dispose();
    },
  };
}
