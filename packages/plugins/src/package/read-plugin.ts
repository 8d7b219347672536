import { isAbsolute, join, relative } from 'node:path';
import satisfies from 'semver/functions/satisfies.js';
import validRange from 'semver/ranges/valid.js';
import { tryParseJson, readBytes } from '../disk.ts';
import { checkManifest, type PluginManifest } from '../manifest/plugin-manifest.ts';
import { PluginError } from '../plugin-error.ts';

/**
 * Version of what a package of resourcespaces may rely on: the protocol of spaces and tools, the exports that
 * bae reads, the format of the manifest. A package declares in package.json which versions it is made for:
 * `"bae": { "api": "^1" }`.
 */
export const PLUGIN_API = '1.0.0';

/** Keyword that marks a package as one of resourcespaces. */
export const PLUGIN_KEYWORD = 'bae-resourcespace';

const EXAMPLE = `"bae": { "api": "^${PLUGIN_API.split('.')[0]}", "spaces": "./dist/index.js", "manifest": "./dist/bae.manifest.json" }`;

/** The package.json of a package of resourcespaces. */
export interface PackageManifest {
  readonly name: string;
  readonly version: string;
  /** Folder of the package, absolute. */
  readonly folder: string;
  /** The module of the spaces, and the file that describes them; absolute, inside the folder. */
  readonly entry: string;
  readonly manifestFile: string;
}

/** A package of resourcespaces as it describes itself; none of its code has run. */
export interface Plugin extends PackageManifest {
  readonly manifest: PluginManifest;
}

/**
 * Reads the description of a package.
 *
 * @param folder of the package, absolute and without links
 * @throws PluginError when it is no package of resourcespaces, is made for another bae, or has no usable manifest
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

/** Reads the package.json of a folder. @throws PluginError when it is none of resourcespaces for this bae */
export function readPackageManifest(folder: string): PackageManifest {
  const { name, version, keywords, bae } = readPackageJson(folder);
  if (typeof name !== 'string' || typeof version !== 'string')
    throw new PluginError(`${folder}/package.json has no name or no version. Add both.`);
  if (!Array.isArray(keywords) || !keywords.includes(PLUGIN_KEYWORD))
    throw new PluginError(
      `${name} is no package of resourcespaces: its package.json lacks the keyword "${PLUGIN_KEYWORD}". Add it to "keywords".`,
    );
  const { api, spaces, manifest } = (bae ?? {}) as Readonly<Record<string, unknown>>;
  checkApi(name, api);
  const resolveField = (key: string, value: unknown): string => {
    const path = resolveCovered(folder, value);
    if (path !== undefined) return path;
    throw createFieldError(`${name}: "bae.${key}"`, 'a file of the package', value);
  };
  const [entry, manifestFile] = [resolveField('spaces', spaces), resolveField('manifest', manifest)];
  return { name, version, folder, entry, manifestFile };
}

function readPackageJson(folder: string): Readonly<Record<string, unknown>> {
  const bytes = readBytes(join(folder, 'package.json'));
  if (bytes === undefined)
    throw new PluginError(`${folder} is no package: it has no package.json. Name the folder of one.`);
  try {
    const value: unknown = JSON.parse(String(bytes).replace(/^\uFEFF/, ''));
    if (typeof value === 'object' && value !== null) return value as Readonly<Record<string, unknown>>;
    throw new SyntaxError('it holds no object');
  } catch (error) {
    throw new PluginError(`${folder}/package.json cannot be read: ${(error as Error).message}.`, [], error);
  }
}

function checkApi(name: string, api: unknown): void {
  if (typeof api !== 'string' || api.trim() === '' || validRange(api) === null)
    throw createFieldError(`${name}: "bae.api"`, 'a range of versions like "^1"', api);
  if (satisfies(PLUGIN_API, api)) return;
  throw new PluginError(
    `${name} is made for plugin API ${api}; this bae has ${PLUGIN_API}. Install a version of ${name} for it, or another bae.`,
  );
}

/** The path of a file that trust in the package covers; undefined for any other file. */
function resolveCovered(folder: string, value: unknown): string | undefined {
  const path = typeof value === 'string' ? relative(folder, join(folder, value)) : '';
  const isCovered = !/(^|[\\/])(\.\.|\.git|node_modules)([\\/]|$)/.test(path) && !isAbsolute(path);
  return path !== '' && isCovered ? join(folder, path) : undefined;
}

function createFieldError(field: string, expected: string, value: unknown): PluginError {
  const got = value === undefined ? 'nothing' : JSON.stringify(value);
  return new PluginError(`${field} of its package.json: expected ${expected}; got ${got}. Write ${EXAMPLE}.`);
}
