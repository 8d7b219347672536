import { isAbsolute, join, relative, dirname, resolve, sep } from 'node:path';
import satisfies from 'semver/functions/satisfies.js';
import validRange from 'semver/ranges/valid.js';
import { findNearestName } from '@bae/core';
import { tryParseJson, readBytes, findRealPath, listEntryNames } from '../disk.ts';
import { checkManifest, type PluginManifest } from '../manifest/plugin-manifest.ts';
import { PluginError } from '../plugin-error.ts';

/**
 * Version of the API on which a package of resourcespaces may rely: the protocol of spaces and tools, the exports that
 * bae reads, and the format of the manifest. A package declares the supported versions in package.json: `"bae": {
 * "api": "^1" }`.
 */
const PLUGIN_API = '1.0.0';

/** Keyword that marks a package of resourcespaces. */
const PLUGIN_KEYWORD = 'bae-resourcespace';

const EXAMPLE = `"bae": { "api": "^${PLUGIN_API.split('.')[0]}", "spaces": "./dist/index.js", "manifest": "./dist/bae.manifest.json" }`;

/** Facts from the package.json of a package of resourcespaces. */
export interface PackageManifest {
  readonly name: string;
  readonly version: string;
  /** Folder of the package, absolute. */
  readonly folder: string;
  /** Module of the spaces, and the file that describes them; absolute paths inside the folder. */
  readonly entry: string;
  readonly manifestFile: string;
  /** Present if the author says that the code needs the rights of bae's process: to run programs or to write files. */
  readonly isolate?: false;
}

/** Package of resourcespaces with its manifest; none of its code has run. */
export interface Plugin extends PackageManifest {
  readonly manifest: PluginManifest;
}

/**
 * Reads the description of a package.
 *
 * @param folder of the package, absolute and without links
 * @throws PluginError when it is not a package of resourcespaces, is made for another bae, or has no usable manifest
 */
export function readPlugin(folder: string): Plugin {
  const described = readPackageManifest(folder);
  const { name, manifestFile } = described;
  const bytes = readBytes(manifestFile);
  const fail = (problem: string): never => {
    throw new PluginError(`${name}${problem}`, [`bae manifest ${folder}`]);
  };
  if (bytes === undefined)
    return fail(` has no manifest: ${manifestFile} is not there. Its author writes it with bae manifest.`);
  const manifest = checkManifest(tryParseJson(bytes));
  if (typeof manifest === 'string')
    return fail(`: its manifest cannot be used: ${manifest}. Its author updates it with bae manifest.`);
  if (manifest.name !== name)
    return fail(`: its manifest is that of ${manifest.name}. Its author updates it with bae manifest.`);
  return { ...described, manifest };
}

/** Reads the package.json of a folder. @throws PluginError when it is not a package of resourcespaces for this bae */
export function readPackageManifest(folder: string): PackageManifest {
  const { name, version, keywords, bae } = readPackageJson(folder);
  if (typeof name !== 'string' || typeof version !== 'string')
    throw new PluginError(`${folder}/package.json has no name or no version. Add both.`);
  if (!Array.isArray(keywords) || !keywords.includes(PLUGIN_KEYWORD))
    throw new PluginError(
      `${name} is not a package of resourcespaces: its package.json lacks the keyword "${PLUGIN_KEYWORD}". Add it to "keywords".`,
    );
  const { api, spaces, manifest, isolate = true } = (bae ?? {}) as Readonly<Record<string, unknown>>;
  checkApi(name, api);
  const resolveField = (key: string, value: unknown): string => {
    const path = resolveCovered(folder, value);
    if (path !== undefined) return path;
    throw createFieldError(`${name}: "bae.${key}"`, 'a file of the package', value);
  };
  const [entry, manifestFile] = [resolveField('spaces', spaces), resolveField('manifest', manifest)];
  if (typeof isolate !== 'boolean') throw createFieldError(`${name}: "bae.isolate"`, 'true or false', isolate);
  return { name, version, folder, entry, manifestFile, ...(!isolate && { isolate }) };
}

function readPackageJson(folder: string): Readonly<Record<string, unknown>> {
  const bytes = readBytes(join(folder, 'package.json'));
  if (bytes === undefined)
    throw new PluginError(`${folder} is not a package: it has no package.json. Name the folder of a package.`);
  try {
    const value: unknown = JSON.parse(String(bytes).replace(/^\uFEFF/, ''));
    if (typeof value === 'object' && value !== null) return value as Readonly<Record<string, unknown>>;
    throw new SyntaxError('it holds no object');
  } catch (error) {
    throw new PluginError(`${folder}/package.json cannot be read: ${(error as Error).message}.`, [], error);
  }
}

function checkApi(name: string, api: unknown): void {
  const isSupported = typeof api === 'string' ? supports(api) : undefined;
  if (typeof api !== 'string' || isSupported === undefined)
    throw createFieldError(`${name}: "bae.api"`, 'a range of versions like "^1"', api);
  if (isSupported) return;
  const remedy = `Install a version of ${name} for it, or another bae.`;
  throw new PluginError(`${name} is made for plugin API ${api}; this bae has ${PLUGIN_API}. ${remedy}`);
}

/** Known answers of `supports`: most packages declare the same range, and parsing it takes longer than reading its file. */
const SUPPORTED = new Map<string, boolean | undefined>();

/** Tests whether a range of versions includes the plugin API of this bae; undefined if it is not a range. */
function supports(api: string): boolean | undefined {
  if (!SUPPORTED.has(api)) {
    const isRange = api.trim() !== '' && validRange(api) !== null;
    SUPPORTED.set(api, isRange ? satisfies(PLUGIN_API, api) : undefined);
  }
  return SUPPORTED.get(api);
}

/** Returns the path of a file that is covered by trust in the package; undefined for any other file. */
function resolveCovered(folder: string, value: unknown): string | undefined {
  const path = typeof value === 'string' ? relative(folder, join(folder, value)) : '';
  const isCovered = !/(^|[\\/])(\.\.|\.git|node_modules)([\\/]|$)/.test(path) && !isAbsolute(path);
  return path !== '' && isCovered ? join(folder, path) : undefined;
}

function createFieldError(field: string, expected: string, value: unknown): PluginError {
  const got = value === undefined ? 'nothing' : JSON.stringify(value);
  return new PluginError(`${field} of its package.json: expected ${expected}; got ${got}. Write ${EXAMPLE}.`);
}

const PREFIX = 'bae-resourcespace-';
const FULL_NAME = /^(@[a-z0-9~][\w.~-]*\/)?bae-resourcespace-[a-z0-9~][\w.~-]*$/;
const SHORT_NAME = /^(@[a-z0-9~][\w.~-]*\/)?([a-z0-9~][\w.~-]*)$/;

/**
 * Returns the full name of a package: `tickets` → `bae-resourcespace-tickets`, `@acme/tickets` →
 * `@acme/bae-resourcespace-tickets`. A full name is unchanged. Undefined if it cannot be the name of a package.
 */
export function packageName(written: string): string | undefined {
  if (isPluginName(written)) return written;
  const match = SHORT_NAME.exec(written);
  return match === null ? undefined : `${match[1] ?? ''}${PREFIX}${match[2]!}`;
}

/** Returns the shortest name of a package: `@acme/bae-resourcespace-tickets` → `@acme/tickets`. */
export function shortName(name: string): string {
  return name.replace(PREFIX, '');
}

/** Returns true for the full name of a package of resourcespaces. */
export function isPluginName(name: string): boolean {
  return FULL_NAME.test(name);
}

/** Tests whether a package was installed into `node_modules`, by its folder without links, and not linked from elsewhere. */
export function isInstalled(folder: string): boolean {
  return folder.split(sep).includes('node_modules');
}

/** Installed package with its location. */
export interface InstalledPackage {
  readonly name: string;
  /** Absolute path without links. */
  readonly folder: string;
}

/**
 * Finds the packages of resourcespaces that are installed for a folder, sorted by name. They must have such a name and
 * the keyword. If two have the same name, the nearer one is used.
 */
export async function discoverPackages(from: string): Promise<readonly InstalledPackage[]> {
  return [...new Set(listFoldersUp(from).flatMap(listInstalledNames))]
    .filter(isPluginName)
    .toSorted()
    .flatMap((name) => {
      const folder = locateInstalled(name, from);
      return folder !== undefined && hasKeyword(folder) ? [{ name, folder }] : [];
    });
}

/** Lists the names of everything in the `node_modules` of a folder, with those in scopes. */
function listInstalledNames(folder: string): readonly string[] {
  const modules = join(folder, 'node_modules');
  return listEntryNames(modules).flatMap((name) =>
    name.startsWith('@') ? listEntryNames(join(modules, name)).map((below) => `${name}/${below}`) : name,
  );
}

/** Folder of a package, or the reason why it was not found, in complete sentences with a suggested solution. */
export type FoundPlugin = { readonly folder: string } | { readonly problem: string };

/**
 * Finds the folder of a package by its name or path: `tickets`, `@acme/tickets`, `./spaces/tickets`.
 *
 * @param from folder at which relative paths and the search begin
 */
export async function findPlugin(named: string, from: string): Promise<FoundPlugin> {
  if (/^\.{0,2}[\\/]/.test(named) || named === '.' || named === '..' || isAbsolute(named)) {
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
  const names = installed.map((one) => shortName(one.name));
  const nearest = findNearestName(shortName(name), names);
  const remedy = nearest === undefined ? `Install it: npm install ${name}` : `Did you mean ${JSON.stringify(nearest)}?`;
  return `no package ${name} is installed. ${remedy}`;
}

/** Finds the real path of an installed package, as Node does; undefined if it is not installed. */
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
