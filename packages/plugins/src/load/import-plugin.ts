import { pathToFileURL } from 'node:url';
import type { Hook, Provision, SpaceFactory, SpaceSource } from '@bae/core';
import type { z } from 'zod';
import { findRealPath } from '../disk.ts';
import type { PackageManifest } from '../package/read-plugin.ts';
import { summarizeError, PluginError } from '../plugin-error.ts';
import { importInTime } from './load-time.ts';
import { importTrusted, type TrustedCode } from '../trust/trusted-modules.ts';

type Exports = Readonly<Record<string, unknown>>;

/** Exports of a package of resourcespaces. */
export interface PluginModule {
  readonly options?: z.ZodType;
  /**
   * Makes the spaces for one session, which disposes of those that were made only for it.
   *
   * @param options as the schema returns them
   * @param provide values from the application for spaces; an exported function receives them as a map by token
   */
  spaces(options: unknown, provide: readonly Provision[]): readonly SpaceSource[];
  /** Makes the hooks for one session; the parameters are those of `spaces`. */
  hooks(options: unknown, provide: readonly Provision[]): readonly Hook[];
  readonly exports: Exports;
}

/** Options for running the code of a package. */
export interface ImportOptions {
  /** Makes Node run the code again even if it has already run. */
  readonly version?: string;
  /** Code of the package that the user trusts. Default: it may load everything. */
  readonly trusted?: TrustedCode | undefined;
}

/**
 * Runs the code of a package.
 *
 * @throws PluginError when it throws, takes too long, or exports no spaces
 */
export async function importPlugin(
  { name, entry }: Pick<PackageManifest, 'name' | 'entry'>,
  { version, trusted }: ImportOptions = {},
): Promise<PluginModule> {
  if (findRealPath(entry) === undefined) {
    const problem = `${name} cannot be loaded: ${entry} is not there. Build the package first.`;
    throw new PluginError(problem, ['npm run build']);
  }
  const url = pathToFileURL(entry);
  if (version !== undefined) url.search = version;
  try {
    const exports = trusted ? importTrusted(trusted, url.href) : importInTime(name, url.href);
    return pluginModule(name, await exports);
  } catch (error) {
    if (error instanceof PluginError) throw error;
    throw new PluginError(`${name} cannot be loaded: ${summarizeError(error)}.`, [], error);
  }
}

/** Finds the options and the spaces in the exports of a module. @throws PluginError when there are no spaces */
export function pluginModule(name: string, exports: Exports): PluginModule {
  const { options, spaces, hooks = [] } = exports;
  const makeHooks = (given: unknown, provide: readonly Provision[]): readonly Hook[] => {
    const made: unknown = typeof hooks === 'function' ? (hooks as Make<unknown>)(given, toMap(provide)) : hooks;
    return [made].flat() as readonly Hook[];
  };
  const module = { exports, hooks: makeHooks, ...(isSchema(options) && { options }) };
  if (typeof spaces === 'function') {
    const make = spaces as Make<SpaceSource | readonly SpaceSource[]>;
    const makeSpaces = (given: unknown, provide: readonly Provision[]) =>
      [make(given, toMap(provide))].flat().map(giveToSession);
    return { ...module, spaces: makeSpaces };
  }
  // Factories must be listed, because an arbitrary export may have a name and a method `create`.
  const found = Object.values(exports).filter((value) => readSpaceName(value) !== undefined && !isSpaceFactory(value));
  const exported = (Array.isArray(spaces) ? spaces : [...new Set(found)]) as readonly SpaceSource[];
  if (exported.length > 0) return { ...module, spaces: () => exported };
  const names = Object.keys(exports);
  const others = names.length > 8 ? `${names.slice(0, 8).join(', ')}, …` : names.join(', ') || 'nothing at all';
  throw new PluginError(
    `${name} exports no spaces, but ${others}. Export a class with @resourcespace, what defineResourcespace() returns, or a function spaces(options, provided).`,
  );
}

type Make<T> = (options: unknown, provided: ReadonlyMap<symbol | string, unknown>) => T;

/** Maps tokens to values; for duplicate tokens the last value is used, as for constructors. */
function toMap(provide: readonly Provision[]): ReadonlyMap<symbol | string, unknown> {
  return new Map(provide.map(({ token, value }) => [token, value]));
}

/** Lets the session dispose of a space that a function made for it, as it does with classes. */
function giveToSession(space: SpaceSource): SpaceSource {
  if (typeof space === 'function' || isSpaceFactory(space)) return space;
  return { name: readSpaceName(space) ?? '', create: () => space };
}

function isSchema(value: unknown): value is z.ZodType {
  return typeof value === 'object' && value !== null && '_zod' in value;
}

/** Key that `@resourcespace` sets on a class, regardless of which copy of core defines it. */
const SPACE = Symbol.for('bae.resourcespace');

type Metadata = { getMetadata?(key: symbol, target: object): { readonly name?: unknown } | undefined };

/** Returns the name of a space given in any form; undefined for any other value. */
export function readSpaceName(value: unknown): string | undefined {
  if (typeof value === 'function') return readDecoratedName(value);
  if (typeof value !== 'object' || value === null) return undefined;
  if ('tools' in value && 'enter' in value && 'name' in value && typeof value.name === 'string') return value.name;
  return isSpaceFactory(value) ? value.name : readDecoratedName(value.constructor);
}

function isSpaceFactory(value: unknown): value is SpaceFactory {
  if (typeof value !== 'object' || value === null || 'tools' in value) return false;
  const { name, create } = value as Partial<SpaceFactory>;
  return typeof create === 'function' && typeof name === 'string' && readDecoratedName(value.constructor) === undefined;
}

function readDecoratedName(target: unknown): string | undefined {
  if (typeof target !== 'function') return undefined;
  const name = (Reflect as Metadata).getMetadata?.(SPACE, target)?.name;
  return typeof name === 'string' ? name : undefined;
}
