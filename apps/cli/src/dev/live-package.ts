import {
  type Agent,
  defineResourcespace,
  type Hook,
  openSpaces,
  type Provision,
  type SpaceDefinition,
} from '@bae/core';
import { codeDigest, FreshModules, makeHooks, pluginModule } from '@bae/plugins';
import { deriveDefaultOptions, runBuild, type DevPackage } from './dev-package.ts';

/** Outcome of loading a package. */
export type Loaded =
  | { readonly type: 'loaded'; readonly spaces: readonly SpaceDefinition[]; readonly hooks: readonly string[] }
  | { readonly type: 'same' }
  | { readonly type: 'failed'; readonly reason: string };

/**
 * Opens the spaces and hooks of a package from its current code. If that cannot be loaded, the earlier ones stay.
 *
 * @param userHooks hooks that come after those of the package
 */
export function openLivePackage(found: DevPackage, provide: readonly Provision[], userHooks: readonly Hook[] = []) {
  const { name, folder, entry } = found;
  const modules = new FreshModules(folder);
  let loadedDigest = '';
  let opened: ReturnType<typeof openSpaces> | undefined;
  const hooks = [...userHooks];
  let own: readonly Hook[] = [];
  let subscribe: Agent['subscribe'] | undefined;
  let silence: readonly (() => void)[] = [];
  let last: Promise<Loaded> = Promise.resolve({ type: 'same' });
  const listSpaces = (): readonly SpaceDefinition[] => opened?.tree.below([]) ?? [];

  const listen = (): void => {
    for (const stop of silence) stop();
    silence = own.flatMap((hook) =>
      hook.onEvent !== undefined && subscribe !== undefined ? [subscribe((event) => hook.onEvent!(event))] : [],
    );
  };

  const load = async (signal: AbortSignal): Promise<Loaded> => {
    const problem = await runBuild(found, signal);
    if (problem !== undefined) return { type: 'failed', reason: `it cannot be built:\n${problem}` };
    const digest = codeDigest(entry);
    if (digest === loadedDigest) return { type: 'same' };
    try {
      const module = pluginModule(name, await modules.load(entry));
      const before = opened;
      const options = deriveDefaultOptions(module);
      const { options: _schema, ...unchecked } = module;
      const made = makeHooks(name, unchecked, { options, provide });
      opened = openSpaces({ spaces: module.spaces(options, provide), provide });
      own = made;
      hooks.splice(0, hooks.length, ...made, ...userHooks);
      listen();
      loadedDigest = digest;
      await before?.dispose();
      return { type: 'loaded', spaces: listSpaces(), hooks: made.map((hook) => hook.name) };
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
    /** Current hooks, for the options of an agent; those of the package receive its events with `follow`. */
    hooks: hooks as readonly Hook[],
    /** Passes the events of an agent to the current hooks of the package. */
    follow: (agent: Pick<Agent, 'subscribe'>): void => {
      subscribe = (listener) => agent.subscribe(listener);
      listen();
    },
    /** Builds the package, and loads its code if it has changed. Reloads run one after another. Never rejects. */
    reload: (signal: AbortSignal): Promise<Loaded> => (last = last.then(() => load(signal))),
    close: async (): Promise<void> => {
      await last;
      modules[Symbol.dispose]();
      await opened?.dispose();
    },
  };
}
