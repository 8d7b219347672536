import { isAbsolute, resolve } from 'node:path';
import { nearestName } from '@bae/core';
import { realPath } from '../disk/read-files.ts';
import { discoverPackages } from '../package/discover-packages.ts';
import { findPackage } from '../package/find-package.ts';
import { packageName, shortName } from '../package/package-name.ts';

/** Where a package is, or why it is nowhere, in whole sentences: what was expected, what came, what to do. */
export type FoundPlugin = { readonly folder: string } | { readonly problem: string };

/**
 * The folder of a package that somebody named: `tickets`, `@acme/tickets`, `./spaces/tickets`.
 *
 * @param from folder that relative paths and the search begin at
 */
export async function findPlugin(named: string, from: string): Promise<FoundPlugin> {
  if (/^\.{0,2}\//.test(named) || named === '.' || named === '..' || isAbsolute(named)) {
    const folder = realPath(resolve(from, named));
    return folder === undefined
      ? { problem: `expected the folder of a package; got ${JSON.stringify(named)}, and nothing is there.` }
      : { folder };
  }
  const name = packageName(named);
  if (name === undefined)
    return {
      problem: `expected a name like "tickets" or a folder like "./spaces/tickets"; got ${JSON.stringify(named)}.`,
    };
  const folder = findPackage(name, from);
  return folder === undefined ? { problem: await notInstalled(name, from) } : { folder };
}

async function notInstalled(name: string, from: string): Promise<string> {
  const installed = await discoverPackages(from);
  const nearest = nearestName(
    shortName(name),
    installed.map((one) => shortName(one.name)),
  );
  const remedy = nearest === undefined ? `Install it: npm install ${name}` : `Did you mean ${JSON.stringify(nearest)}?`;
  return `no package ${name} is installed. ${remedy}`;
}
