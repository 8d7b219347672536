import { isAbsolute, join, relative } from 'node:path';
import { PluginError } from '../errors/plugin-error.ts';
import { readBytes } from '../disk/read-files.ts';
import { isInRange } from './version-range.ts';
import { PLUGIN_API, PLUGIN_KEYWORD } from './plugin-api.ts';

/** What the package.json of a package of resourcespaces says. */
export interface PackageManifest {
  readonly name: string;
  readonly version: string;
  /** Folder of the package, absolute. */
  readonly folder: string;
  /** The module of the spaces, and the file that describes them; absolute, inside the folder. */
  readonly entry: string;
  readonly manifestFile: string;
}

const EXAMPLE = `"bae": { "api": "^${PLUGIN_API.split('.')[0]}", "spaces": "./dist/index.js", "manifest": "./dist/bae.manifest.json" }`;

/**
 * Reads the package.json of a folder.
 *
 * @throws PluginError when it is no package of resourcespaces, or made for another version of bae
 */
export function readPackageManifest(folder: string): PackageManifest {
  const { name, version, keywords, bae } = readJson(folder);
  if (typeof name !== 'string' || typeof version !== 'string')
    throw new PluginError(`${folder}/package.json has no name or no version. Add both.`);
  if (!Array.isArray(keywords) || !keywords.includes(PLUGIN_KEYWORD))
    throw new PluginError(
      `${name} is no package of resourcespaces: its package.json lacks the keyword "${PLUGIN_KEYWORD}". Add it to "keywords".`,
    );
  const { api, spaces, manifest } = (bae ?? {}) as Readonly<Record<string, unknown>>;
  checkApi(name, api);
  const inside = (key: string, value: unknown) => fileInside({ name, folder, key, value });
  return { name, version, folder, entry: inside('spaces', spaces), manifestFile: inside('manifest', manifest) };
}

function readJson(folder: string): Readonly<Record<string, unknown>> {
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
  const fits = typeof api === 'string' ? isInRange(PLUGIN_API, api) : undefined;
  if (fits === true) return;
  if (fits === false) {
    throw new PluginError(
      `${name} is made for plugin API ${String(api)}; this bae has ${PLUGIN_API}. Install a version of ${name} for it, or another bae.`,
    );
  }
  const got = api === undefined ? 'nothing' : JSON.stringify(api);
  throw new PluginError(
    `${name}: "bae.api" of its package.json: expected a range of versions like "^1"; got ${got}. Write ${EXAMPLE}.`,
  );
}

/** A file that is the package's own: one of those that trust in the package is about. */
function fileInside(file: {
  readonly name: string;
  readonly folder: string;
  readonly key: string;
  readonly value: unknown;
}): string {
  const { name, folder, key, value } = file;
  const got = value === undefined ? 'nothing' : JSON.stringify(value);
  const path = typeof value === 'string' ? relative(folder, join(folder, value)) : '';
  const isCovered = !/(^|[\\/])(\.\.|\.git|node_modules)([\\/]|$)/.test(path) && !isAbsolute(path);
  if (path !== '' && isCovered) return join(folder, path);
  throw new PluginError(
    `${name}: "bae.${key}" of its package.json: expected a file of the package; got ${got}. Write ${EXAMPLE}.`,
  );
}
