import { basename, delimiter, dirname, join, relative, resolve } from 'node:path';
import { statSync } from 'node:fs';
import { ConfigurationError, type Provision, type SpaceSource } from '@bae/core';
import { findPlugin, type PluginModule } from '@bae/plugins';
import { findShell, prepareShell, runProgram } from '@bae/project';
import { getPathKind, listAncestors, readTextFile, resolveLinks, listFolderEntries } from '../config/disk.ts';

/** Package with the absolute paths of its modules. */
export interface FoundPackage {
  /** Name for messages: that of the package, its folder or its module. */
  readonly name: string;
  readonly folder: string;
  readonly entry: string;
  readonly build?: string;
  /** Module with the samples for its spaces. */
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

/** Finds a package by its name, folder or module. @throws ConfigurationError when there is none */
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

/** Package whose folder path contains no symbolic links. */
export interface DevPackage extends FoundPackage {
  /** Returns a text that changes whenever its sources change. */
  readonly stamp: () => string;
}

/** Finds a package by its folder, module or name. @throws ConfigurationError when there is none */
export async function findDevPackage(named: string, cwd: string): Promise<DevPackage> {
  const found = await findPackage(named, cwd);
  const folder = resolveLinks(found.folder);
  const path = relative(found.folder, found.entry);
  const [top = ''] = path.split('/');
  const output = found.build === undefined || top === 'src' || top === path ? undefined : top;
  const stamp = (): string => readCodeStamp(folder, output);
  return { ...found, folder, entry: join(folder, path), stamp };
}

/** Builds a package, as `npm run build` does. Resolves to the output of a failed build, or undefined on success. */
export async function runBuild({ build, folder }: DevPackage, signal: AbortSignal): Promise<string | undefined> {
  if (build === undefined) return undefined;
  const shell = await findShell({ folder });
  if (shell === undefined) return 'there is no shell on the PATH that could run it.';
  const programs = listAncestors(folder).map((one) => join(one, 'node_modules/.bin'));
  const environment = { PATH: [...programs, process.env['PATH'] ?? ''].join(delimiter) };
  const command = prepareShell(shell, build);
  try {
    const program = { command, folder, environment, inherits: 'project', mergesErrors: true } as const;
    const { code, output } = await runProgram(program, signal);
    return code === 0 ? undefined : output.trim() || `${build} ended with ${code}`;
  } catch (error) {
    return (error as Error).message;
  }
}

export interface MadeSpace {
  /** Name of the export; for a space made by a function, the name of the space. */
  readonly name: string;
  readonly make: (provide: readonly Provision[]) => SpaceSource;
}

/** Lists the spaces that a module exports or makes. @throws ConfigurationError when its spaces need options */
export function listExportedSpaces(module: PluginModule, provide: readonly Provision[]): readonly MadeSpace[] {
  const options = deriveDefaultOptions(module);
  return module.spaces(options, provide).map((space, index) => ({
    name: findExportName(space, module) ?? (space as { readonly name?: string }).name ?? `spaces[${index}]`,
    make: (given) => module.spaces(options, given)[index]!,
  }));
}

function findExportName(space: SpaceSource, { exports }: PluginModule): string | undefined {
  const names = Object.keys(exports).filter((name) => exports[name] === space);
  return names.find((name) => name !== 'default') ?? names[0];
}

/** Returns the default options or, if there are none, the author's example. */
export function deriveDefaultOptions({ options: schema }: PluginModule): unknown {
  if (schema === undefined) return undefined;
  const parsed = schema.safeParse({});
  if (parsed.success) return parsed.data;
  const [example] = (schema.meta()?.['examples'] as readonly unknown[] | undefined) ?? [];
  if (example !== undefined) return schema.parse(example);
  const [issue] = parsed.error.issues;
  throw new ConfigurationError(
    `its spaces need options: ${issue?.path.join('.')}: ${issue?.message}. ` +
      'Give the options an example, .meta({ examples: [{ … }] }), or name a module that makes the spaces.',
    ['bae conformance ./MODULE'],
  );
}

const CODE = /\.(?:[cm]?[jt]sx?|json)$/;
/** Generated or installed entries, which are ignored. */
const GENERATED = new Set(['node_modules', 'bae.manifest.json']);

/**
 * Returns a text that changes whenever code in a folder is changed, added or removed.
 *
 * @param ignored a file or folder directly in it that is left out
 */
export function readCodeStamp(folder: string, ignored?: string): string {
  const stamps = listFolderEntries(folder).flatMap((entry) => {
    const { name } = entry;
    const path = join(folder, name);
    if (name.startsWith('.') || name === ignored || GENERATED.has(name)) return [];
    if (entry.isDirectory()) return readCodeStamp(path);
    const stats = CODE.test(name) ? statSync(path, { throwIfNoEntry: false }) : undefined;
    return stats === undefined ? [] : [`${path} ${stats.mtimeMs} ${stats.size}`];
  });
  return stamps.filter((stamp) => stamp !== '').join('\n');
}

const INTERVAL_MS = 200;

/**
 * Calls `act` after a change, once nothing has changed for a moment, because editors may write a file in pieces. It
 * polls, which works on every disk.
 *
 * @param look returns a text that differs after a change
 * @param act must not reject; nothing is polled while it runs
 * @returns a function that stops watching
 */
export function watch(look: () => string, act: () => Promise<void>): () => void {
  let handled = look();
  let last = handled;
  let isBusy = false;
  const check = async (): Promise<void> => {
    if (isBusy) return;
    const now = look();
    const isSettled = now === last;
    last = now;
    if (!isSettled || now === handled) return;
    handled = now;
    isBusy = true;
    await act();
    isBusy = false;
  };
  const timer = setInterval(() => void check(), INTERVAL_MS);
  timer.unref();
  return () => clearInterval(timer);
}
