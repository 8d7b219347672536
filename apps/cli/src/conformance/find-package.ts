import { basename, dirname, join, resolve } from 'node:path';
import { ConfigurationError } from '@bae/core';
import { findPlugin } from '@bae/plugins';
import { getPathKind, readTextFile } from '../config/disk.ts';

/** The modules of a package, as absolute paths. */
export interface FoundPackage {
  /** For messages: its name, or that of the folder or module. */
  readonly name: string;
  readonly folder: string;
  readonly entry: string;
  /** The command that builds it. */
  readonly build?: string;
  /** The module with the samples for its spaces. */
  readonly samples?: string;
}

interface Manifest {
  readonly name?: unknown;
  readonly main?: unknown;
  readonly exports?: unknown;
  readonly scripts?: { readonly build?: string };
  readonly bae?: { readonly spaces?: unknown; readonly samples?: unknown };
}

/** Conditions of `exports` that apply to an import. */
const CONDITIONS = new Set(['node', 'import', 'module-sync', 'default']);

/** Finds a package by its name, its folder or a module. @throws ConfigurationError when there is none */
export async function findPackage(named: string, cwd: string): Promise<FoundPackage> {
  const path = resolve(cwd, named);
  const kind = getPathKind(path);
  if (kind === 'file') return { name: basename(path), folder: dirname(path), entry: path };
  if (kind === 'folder') return describeFolder(path, named);
  const found = /^[./\\]/.test(named) ? undefined : await findPlugin(named, cwd);
  if (found !== undefined && 'folder' in found) return describeFolder(found.folder, named);
  const more = found === undefined ? '.' : `; ${found.problem}`;
  throw new ConfigurationError(`${named}: there is no such folder or module${more}`, ['bae create space NAME']);
}

const isString = (value: unknown): value is string => typeof value === 'string';

function describeFolder(folder: string, named: string): FoundPackage {
  const { name, bae = {}, exports, main, scripts } = parsePackageFile(folder, named);
  const entry = [bae.spaces, findEntry(exports), main].find(isString) ?? 'index.js';
  const { samples } = bae;
  return {
    name: isString(name) ? name : basename(folder),
    folder,
    entry: join(folder, entry),
    ...(scripts?.build !== undefined && { build: scripts.build }),
    ...(isString(samples) && { samples: join(folder, samples) }),
  };
}

function parsePackageFile(folder: string, named: string): Manifest {
  const path = join(folder, 'package.json');
  if (getPathKind(path) !== 'file') {
    const module = `${named.replace(/\/+$/, '')}/index.js`;
    throw new ConfigurationError(`${named}: there is no package.json in it.`, [`bae conformance ${module}`]);
  }
  try {
    return JSON.parse(readTextFile(path)) as Manifest;
  } catch (error) {
    throw new ConfigurationError(`${named}: its package.json is not JSON: ${(error as Error).message}.`, [], error);
  }
}

function findEntry(exports: unknown): string | undefined {
  if (isString(exports)) return exports;
  if (typeof exports !== 'object' || exports === null) return undefined;
  for (const [key, value] of Object.entries(exports)) {
    const entry = key === '.' || CONDITIONS.has(key) ? findEntry(value) : undefined;
    if (entry !== undefined) return entry;
  }
  return undefined;
}
