import { basename } from 'node:path';
import { pathToFileURL } from 'node:url';
import { ConfigurationError } from '@bae/core';
import type { ResourcespaceContractOptions } from '@bae/testing';
import { exportedSpaces, type MadeSpace } from './exported-spaces.ts';
import type { FoundPackage } from './find-package.ts';

/** A space of a package, and what its author says about trying it. */
export interface LoadedSpace extends MadeSpace {
  readonly given: Partial<ResourcespaceContractOptions>;
}

/** Exports that the message about a module without spaces names. */
const NAMED = 8;

/**
 * Imports the spaces of a package: its code is run.
 *
 * @throws ConfigurationError when a module cannot be loaded, or exports no space
 */
export async function loadSpaces({ entry, samples }: FoundPackage): Promise<readonly LoadedSpace[]> {
  const exports = await load(entry);
  const given = samples === undefined ? {} : await load(samples);
  const spaces = exportedSpaces(exports);
  if (spaces.length === 0) throw noSpace(entry, Object.keys(exports));
  return spaces.map((space) => ({ ...space, given: (given[space.name] ?? {}) as LoadedSpace['given'] }));
}

async function load(path: string): Promise<Readonly<Record<string, unknown>>> {
  try {
    return (await import(pathToFileURL(path).href)) as Readonly<Record<string, unknown>>;
  } catch (error) {
    const { message, code } = error as NodeJS.ErrnoException;
    const isGone = code === 'ERR_MODULE_NOT_FOUND' && message.includes(`module '${path}'`);
    const reason = isGone ? 'there is no such module. Build the package first' : message.split('\n')[0];
    throw new ConfigurationError(`${path} cannot be loaded: ${reason}.`, ['npm run build'], error);
  }
}

function noSpace(entry: string, names: readonly string[]): ConfigurationError {
  const named = names.slice(0, NAMED).join(', ');
  const exported =
    names.length === 0 ? 'it exports nothing' : `it exports ${named}${names.length > NAMED ? ', …' : ''}`;
  return new ConfigurationError(
    `${basename(entry)}: nothing it exports is a resourcespace, which has an enter(); ${exported}. ` +
      'Export the class, or what defineResourcespace() returns, or name the module: "bae": { "spaces": "./dist/index.js" }.',
  );
}
