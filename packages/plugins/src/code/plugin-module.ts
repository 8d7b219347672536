import { pathToFileURL } from 'node:url';
import type { Provision, SpaceSource } from '@bae/core';
import type { z } from 'zod';
import { PluginError } from '../errors/plugin-error.ts';
import { errorText } from '../errors/error-text.ts';
import { realPath } from '../disk/read-files.ts';
import type { PackageManifest } from '../package/package-manifest.ts';
import { spaceName } from './space-name.ts';
import { within } from './within.ts';

/** What a package of resourcespaces exports. */
export interface PluginModule {
  /** Schema of the options; absent when there are none. */
  readonly options?: z.ZodType;
  /**
   * Makes the spaces, for one session.
   *
   * @param options as the schema gives them
   * @param provide what the application has for spaces; a function among the exports gets it as a map by token
   */
  spaces(options: unknown, provide: readonly Provision[]): readonly SpaceSource[];
  /** True when each session has spaces of its own, to let go of at its end. */
  readonly ownSpaces: boolean;
  /** Everything that it exports, by name. */
  readonly exports: Exports;
}

type Exports = Readonly<Record<string, unknown>>;

/**
 * Runs the code of a package.
 *
 * @param version makes Node run it anew although it has run before
 * @throws PluginError when it throws, takes too long, or exports no spaces
 */
export async function importPlugin(
  { name, entry }: Pick<PackageManifest, 'name' | 'entry'>,
  version?: string,
): Promise<PluginModule> {
  if (realPath(entry) === undefined)
    throw new PluginError(`${name} cannot be loaded: ${entry} is not there. Build the package first.`, [
      'npm run build',
    ]);
  const url = pathToFileURL(entry);
  if (version !== undefined) url.search = version;
  return pluginModule(name, await imported(name, url.href));
}

/**
 * What the exports of a module make of it.
 *
 * @throws PluginError when there are no spaces among them
 */
export function pluginModule(name: string, exports: Exports): PluginModule {
  const { options, spaces } = exports;
  const found = { exports, ...(isSchema(options) && { options }) };
  if (typeof spaces === 'function') {
    const make = spaces as MakeSpaces;
    return { ...found, ownSpaces: true, spaces: (given, provide) => asList(make(given, byToken(provide))) };
  }
  const exported = Array.isArray(spaces)
    ? (spaces as readonly SpaceSource[])
    : [...new Set(Object.values(exports))].filter(isSpace);
  if (exported.length === 0) {
    throw new PluginError(
      `${name} exports no spaces, but ${namesOf(exports)}. Export a class with @resourcespace, what defineResourcespace() returns, or a function spaces(options, provided).`,
    );
  }
  return { ...found, ownSpaces: false, spaces: () => exported };
}

/** Exports that the message about a module without spaces names. */
const NAMED = 8;

function namesOf(exports: Exports): string {
  const names = Object.keys(exports);
  if (names.length === 0) return 'nothing at all';
  return `${names.slice(0, NAMED).join(', ')}${names.length > NAMED ? ', …' : ''}`;
}

type Made = SpaceSource | readonly SpaceSource[];
type Provided = ReadonlyMap<symbol | string, unknown>;
type MakeSpaces = (options: unknown, provided: Provided) => Made;

/** Of two values for one token the later counts, as it does for constructors. */
function byToken(provide: readonly Provision[]): Provided {
  return new Map(provide.map(({ token, value }) => [token, value]));
}

function asList(made: Made): readonly SpaceSource[] {
  return Array.isArray(made) ? (made as readonly SpaceSource[]) : [made as SpaceSource];
}

async function imported(name: string, url: string): Promise<Exports> {
  try {
    return await within(
      import(url) as Promise<Exports>,
      `${name} was not loaded`,
      'it waits for something at its top level',
    );
  } catch (error) {
    if (error instanceof PluginError) throw error;
    throw new PluginError(`${name} cannot be loaded: ${errorText(error)}.`, [], error);
  }
}

function isSchema(value: unknown): value is z.ZodType {
  return typeof value === 'object' && value !== null && '_zod' in value;
}

function isSpace(value: unknown): value is SpaceSource {
  return spaceName(value) !== undefined;
}
