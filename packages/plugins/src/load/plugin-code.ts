import { BaeError, createAgent, type Agent, type Provision, type SpaceTree } from '@bae/core';
import { compareManifests, describeTree } from '../manifest/describe-spaces.ts';
import type { Plugin } from '../package/read-plugin.ts';
import { describeError, PluginError } from '../plugin-error.ts';
import { importPlugin, type PluginModule } from './import-plugin.ts';

/** What the code of a package is loaded with. */
export interface CodeOptions {
  readonly plugin: Plugin;
  /** As they are written in the configuration. */
  readonly options?: unknown;
  /** Values for what makes the spaces: constructors, or a function `spaces(options, provided)`. */
  readonly provide: readonly Provision[];
  /** Checks whether the code may run. Throws when it may not. */
  readonly permit: () => void;
}

/** The spaces of a package for one session: made when first needed, and disposed of at its end. */
export class PluginCode {
  readonly #options: CodeOptions;
  #loading: Promise<Agent> | undefined;
  #agent: Agent | undefined;

  constructor(options: CodeOptions) {
    this.#options = options;
  }

  /** Name of the package. */
  get name(): string {
    return this.#options.plugin.name;
  }

  /** The spaces, by the names that the package gave them; undefined until they are loaded. */
  get tree(): SpaceTree | undefined {
    return this.#agent?.tree;
  }

  /**
   * Loads the spaces, once; after a failure the next call tries again.
   *
   * @throws PluginError when the code may not run, fails, takes too long, or does not match the manifest
   */
  async load(): Promise<SpaceTree> {
    this.#loading ??= this.#open();
    try {
      this.#agent = await this.#loading;
      return this.#agent.tree;
    } catch (error) {
      this.#loading = undefined;
      throw error;
    }
  }

  async dispose(): Promise<void> {
    const agent = await this.#loading?.catch(() => undefined);
    this.#loading = undefined;
    this.#agent = undefined;
    await agent?.close();
  }

  async #open(): Promise<Agent> {
    const { plugin, permit } = this.#options;
    permit();
    const agent = makeSpaces(plugin.name, await importPlugin(plugin), this.#options);
    const [difference] = compareManifests(plugin.manifest.spaces, describeTree(agent.tree));
    if (difference === undefined) return agent;
    await agent.close();
    throw new PluginError(
      `the manifest of ${plugin.name} does not fit its code: ${difference}. Nothing of it was called; its author updates the manifest.`,
      [`bae manifest ${plugin.folder}`],
    );
  }
}

/**
 * Makes the spaces of a package in a session of their own, which disposes of them when it is closed.
 *
 * @throws PluginError when the options are refused or the spaces cannot be made
 */
export function makeSpaces(
  name: string,
  module: PluginModule,
  { options, provide }: Pick<CodeOptions, 'options' | 'provide'>,
): Agent {
  const given = parseOptions(name, module, options);
  try {
    const agent = createAgent({ spaces: module.spaces(given, provide), provide });
    return module.ownSpaces ? disposeInstancesOnClose(agent) : agent;
  } catch (error) {
    const hints = BaeError.is(error) ? error.hints : [];
    throw new PluginError(`${name}: its spaces cannot be made: ${describeError(error)}.`, hints, error);
  }
}

function parseOptions(name: string, { options: schema }: PluginModule, options: unknown): unknown {
  if (schema === undefined) return options;
  const parsed = schema.safeParse(options ?? {});
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  const place = ['options', ...issue!.path].join('.');
  throw new PluginError(
    `${name}: ${place}: ${issue!.message}. Change it where ${name} is mounted, in the configuration.`,
  );
}

/** Makes an agent dispose of instances too, because they were made for it alone. */
function disposeInstancesOnClose(agent: Agent): Agent {
  const close = agent.close.bind(agent);
  agent.close = async () => {
    const spaces = agent.tree.below([]);
    await close();
    await Promise.all(spaces.map(async (space) => space.dispose?.()));
  };
  return agent;
}
