import { importPlugin } from '@bae/plugins';
import { pathToFileURL } from 'node:url';
import { ConfigurationError, type Provision } from '@bae/core';
import type { ResourcespaceContractOptions } from '@bae/testing';
import { exportedSpaces, type MadeSpace } from './exported-spaces.ts';
import type { FoundPackage } from './find-package.ts';

/** A space of a package, and what its author says about trying it. */
export interface LoadedSpace extends MadeSpace {
  readonly given: Partial<ResourcespaceContractOptions>;
}

/**
 * Imports the spaces of a package: its code is run.
 *
 * @param provide what a function is handed that makes them
 * @throws PluginError when it cannot be loaded, or exports no space; ConfigurationError when its samples cannot
 */
export async function loadSpaces(found: FoundPackage, provide: readonly Provision[]): Promise<readonly LoadedSpace[]> {
  const spaces = exportedSpaces(await importPlugin(found), provide);
  const given = found.samples === undefined ? {} : await samplesOf(found.samples);
  return spaces.map((space) => ({ ...space, given: (given[space.name] ?? {}) as LoadedSpace['given'] }));
}

async function samplesOf(path: string): Promise<Readonly<Record<string, unknown>>> {
  try {
    return (await import(pathToFileURL(path).href)) as Readonly<Record<string, unknown>>;
  } catch (error) {
    const [reason] = (error as Error).message.split('\n');
    throw new ConfigurationError(`${path} cannot be loaded: ${reason}.`, ['npm run build'], error);
  }
}
