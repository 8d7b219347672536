import { defineResourcespace, openSpaces, type Provision, type SpaceDefinition } from '@bae/core';
import { codeDigest, FreshModules, pluginModule } from '@bae/plugins';
import { deriveDefaultOptions } from '../conformance/exported-spaces.ts';
import { runBuild, type DevPackage } from './dev-package.ts';

/** The outcome of loading a package. */
export type Loaded =
  | { readonly type: 'loaded'; readonly spaces: readonly SpaceDefinition[] }
  | { readonly type: 'same' }
  | { readonly type: 'failed'; readonly reason: string };

/** The spaces of a package, from its current code. When that cannot be loaded, the earlier ones stay. */
export class LivePackage {
  /** A space whose children are the current spaces of the package. */
  readonly home: SpaceDefinition;
  readonly #package: DevPackage;
  readonly #provide: readonly Provision[];
  readonly #modules: FreshModules;
  #digest = '';
  #opened: ReturnType<typeof openSpaces> | undefined;
  #last: Promise<Loaded> = Promise.resolve({ type: 'same' });

  constructor(found: DevPackage, provide: readonly Provision[]) {
    this.#package = found;
    this.#provide = provide;
    this.#modules = new FreshModules(found.folder);
    this.home = defineResourcespace({
      name: 'dev',
      description: `The spaces of ${found.name}, as its code is now.`,
      tools: {},
      children: () => Object.fromEntries(this.#spaces().map((space) => [space.name, space])),
    });
  }

  /** Builds the package and loads its code if it has changed. Reloads run one after another. Never throws. */
  reload(signal: AbortSignal): Promise<Loaded> {
    this.#last = this.#last.then(() => this.#reload(signal));
    return this.#last;
  }

  async close(): Promise<void> {
    await this.#last;
    this.#modules[Symbol.dispose]();
    await this.#opened?.dispose();
  }

  async #reload(signal: AbortSignal): Promise<Loaded> {
    const { name, entry } = this.#package;
    const problem = await runBuild(this.#package, signal);
    if (problem !== undefined) return { type: 'failed', reason: `it cannot be built:\n${problem}` };
    const digest = codeDigest(entry);
    if (digest === this.#digest) return { type: 'same' };
    try {
      const module = pluginModule(name, await this.#modules.load(entry));
      const spaces = module.spaces(deriveDefaultOptions(module), this.#provide);
      const before = this.#opened;
      this.#opened = openSpaces({ spaces, provide: this.#provide });
      this.#digest = digest;
      await before?.dispose();
      return { type: 'loaded', spaces: this.#spaces() };
    } catch (error) {
      return { type: 'failed', reason: describeError(error) };
    }
  }

  #spaces(): readonly SpaceDefinition[] {
    return this.#opened?.tree.below([]) ?? [];
  }
}

function describeError(error: unknown): string {
  return error instanceof Error ? `${error.name}: ${error.message}` : String(error);
}
