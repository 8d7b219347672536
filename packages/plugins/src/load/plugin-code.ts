import { BaeError, openSpaces, type Provision, type SpaceTree } from '@bae/core';
import { compareManifests, describeTree } from '../manifest/describe-spaces.ts';
import type { Plugin } from '../package/read-plugin.ts';
import { summarizeError, PluginError } from '../plugin-error.ts';
import { importPlugin, type PluginModule } from './import-plugin.ts';

type OpenedSpaces = ReturnType<typeof openSpaces>;

/** What the code of a package is loaded with. */
export interface CodeOptions {
  readonly plugin: Plugin;
  readonly options?: unknown;
  readonly provide: readonly Provision[];
  /** Throws when the code may not run. */
  readonly permit: () => void;
}

/** The spaces of a package for one session: made when first needed, and disposed of at its end. */
export class PluginCode {
  readonly #options: CodeOptions;
  #loading: Promise<OpenedSpaces> | undefined;
  #tree: SpaceTree | undefined;

  constructor(options: CodeOptions) {
    this.#options = options;
  }

  get name(): string {
    return this.#options.plugin.name;
  }

  /** The spaces, by the names that the package gave them; undefined until they are loaded. */
  get tree(): SpaceTree | undefined {
    return this.#tree;
  }

  /**
   * Loads the spaces, once; after a failure the next call tries again.
   *
   * @throws PluginError when the code may not run, fails, takes too long, or does not match the manifest
   */
  async load(): Promise<SpaceTree> {
    this.#loading ??= this.#open();
    try {
      return (this.#tree = (await this.#loading).tree);
    } catch (error) {
      this.#loading = undefined;
      throw error;
    }
  }

  async dispose(): Promise<void> {
    const opened = await this.#loading?.catch(() => undefined);
    this.#loading = undefined;
    this.#tree = undefined;
    await opened?.dispose();
  }

  async #open(): Promise<OpenedSpaces> {
    const { plugin, permit } = this.#options;
    permit();
    const opened = makeSpaces(plugin.name, await importPlugin(plugin), this.#options);
    const [difference] = compareManifests(plugin.manifest.spaces, describeTree(opened.tree));
    if (difference === undefined) return opened;
    await opened.dispose();
    throw new PluginError(
      `the manifest of ${plugin.name} does not fit its code: ${difference}. Nothing of it was called; its author updates the manifest.`,
      [`bae manifest ${plugin.folder}`],
    );
  }
}

/** Makes the spaces of a package for one session. @throws PluginError when they, or their options, are refused */
export function makeSpaces(
  name: string,
  module: PluginModule,
  { options, provide }: Pick<CodeOptions, 'options' | 'provide'>,
): OpenedSpaces {
  const given = parseOptions(name, module, options);
  try {
    return openSpaces({ spaces: module.spaces(given, provide), provide });
  } catch (error) {
    const hints = BaeError.is(error) ? error.hints : [];
    throw new PluginError(`${name}: its spaces cannot be made: ${summarizeError(error)}.`, hints, error);
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
