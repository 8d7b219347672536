import { dirname, isAbsolute, join, resolve } from 'node:path';
import { findNearestName } from '@bae/core';
import { tryParseJson, readBytes, findRealPath } from '../disk.ts';
import { PLUGIN_KEYWORD } from './read-plugin.ts';

const PREFIX = 'bae-resourcespace-';
const FULL_NAME = /^(@[a-z0-9~][\w.~-]*\/)?bae-resourcespace-[a-z0-9~][\w.~-]*$/;
const SHORT_NAME = /^(@[a-z0-9~][\w.~-]*\/)?([a-z0-9~][\w.~-]*)$/;

/**
 * The name of a package from what people write: `tickets` → `bae-resourcespace-tickets`, `@acme/tickets` →
 * `@acme/bae-resourcespace-tickets`; a full name stays. Undefined when it cannot be the name of a package.
 */
export function packageName(written: string): string | undefined {
  if (isPluginName(written)) return written;
  const match = SHORT_NAME.exec(written);
  return match === null ? undefined : `${match[1] ?? ''}${PREFIX}${match[2]!}`;
}

/** The shortest name that means a package: `@acme/bae-resourcespace-tickets` → `@acme/tickets`. */
export function shortName(name: string): string {
  return name.replace(PREFIX, '');
}

/** True for the full name of a package of resourcespaces. */
export function isPluginName(name: string): boolean {
  return FULL_NAME.test(name);
}

/** An installed package by name, and where it is. */
export interface InstalledPackage {
  readonly name: string;
  /** Absolute, without links. */
  readonly folder: string;
}

/**
 * The packages of resourcespaces that are installed for a folder, sorted by name: named like one, and with the
 * keyword. Of two with the same name, the nearer one counts.
 */
export async function discoverPackages(from: string): Promise<readonly InstalledPackage[]> {
  const { default: glob } = await import('fast-glob');
  const patterns = [`${PREFIX}*`, `@*/${PREFIX}*`];
  // Links to folders count too, so the pattern matches names of any kind.
  const search = (folder: string) =>
    glob(patterns, { cwd: join(folder, 'node_modules'), onlyFiles: false, suppressErrors: true });
  const names = (await Promise.all(listFoldersUp(from).map(search))).flat();
  return [...new Set(names)]
    .filter(isPluginName)
    .toSorted()
    .flatMap((name) => {
      const folder = locateInstalled(name, from);
      return folder !== undefined && hasKeyword(folder) ? [{ name, folder }] : [];
    });
}

/** Where a package is, or why there is none, in whole sentences: what was expected, what came, what to do. */
export type FoundPlugin = { readonly folder: string } | { readonly problem: string };

/**
 * Finds the folder of a package by its name or path: `tickets`, `@acme/tickets`, `./spaces/tickets`.
 *
 * @param from folder that relative paths and the search begin at
 */
export async function findPlugin(named: string, from: string): Promise<FoundPlugin> {
  if (/^\.{0,2}\//.test(named) || named === '.' || named === '..' || isAbsolute(named)) {
    const folder = findRealPath(resolve(from, named));
    return folder === undefined
      ? { problem: `expected the folder of a package; got ${JSON.stringify(named)}, and nothing is there.` }
      : { folder };
  }
  const name = packageName(named);
  if (name === undefined)
    return {
      problem: `expected a name like "tickets" or a folder like "./spaces/tickets"; got ${JSON.stringify(named)}.`,
    };
  const folder = locateInstalled(name, from);
  return folder === undefined ? { problem: await explainNotInstalled(name, from) } : { folder };
}

async function explainNotInstalled(name: string, from: string): Promise<string> {
  const installed = await discoverPackages(from);
  const nearest = findNearestName(
    shortName(name),
    installed.map((one) => shortName(one.name)),
  );
  const remedy = nearest === undefined ? `Install it: npm install ${name}` : `Did you mean ${JSON.stringify(nearest)}?`;
  return `no package ${name} is installed. ${remedy}`;
}

/** The folder of an installed package without links, found as Node does; undefined when it is not installed. */
function locateInstalled(name: string, from: string): string | undefined {
  for (const folder of listFoldersUp(from)) {
    const path = findRealPath(join(folder, 'node_modules', name, 'package.json'));
    if (path !== undefined) return dirname(path);
  }
  return undefined;
}

function listFoldersUp(folder: string): readonly string[] {
  const above = dirname(folder);
  return above === folder ? [folder] : [folder, ...listFoldersUp(above)];
}

function hasKeyword(folder: string): boolean {
  const manifest = tryParseJson(readBytes(join(folder, 'package.json')));
  const keywords = (manifest as { readonly keywords?: unknown } | null | undefined)?.keywords;
  return Array.isArray(keywords) && keywords.includes(PLUGIN_KEYWORD);
}
