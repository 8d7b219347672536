import { spawn } from 'node:child_process';
import { basename, delimiter, dirname, join, relative, resolve } from 'node:path';
import { getPathKind, readTextFile, resolveLinks } from '../config/disk.ts';
import { findPackage } from '../conformance/find-package.ts';
import { readCodeStamp } from './code-changes.ts';

/** A package that is being developed. */
export interface DevPackage {
  readonly name: string;
  /** Absolute, without links. */
  readonly folder: string;
  /** Module that exports its spaces, absolute. */
  readonly entry: string;
  /** The command that builds it from its sources; undefined when there is nothing to build. */
  readonly build?: string;
  /** Returns a text that differs after its sources were changed. */
  readonly stamp: () => string;
}

/**
 * Finds a package by its folder, a module of it, or its name.
 *
 * @throws ConfigurationError when there is none
 */
export async function findDevPackage(named: string, cwd: string): Promise<DevPackage> {
  const { entry: found } = await findPackage(named, cwd);
  if (getPathKind(resolve(cwd, named)) === 'file') {
    const folder = resolveLinks(dirname(found));
    const name = basename(found);
    return { name, folder, entry: join(folder, name), stamp: () => readCodeStamp(folder) };
  }
  const root = findPackageRoot(dirname(found));
  const folder = resolveLinks(root);
  const entry = join(folder, relative(root, found));
  const { name = basename(folder), scripts = {} } = JSON.parse(readTextFile(join(folder, 'package.json'))) as Manifest;
  const { build } = scripts;
  const [top] = relative(folder, entry).split('/');
  const built = build === undefined || top === 'src' || top === basename(entry) ? undefined : top;
  return { name, folder, entry, ...(build !== undefined && { build }), stamp: () => readCodeStamp(folder, built) };
}

interface Manifest {
  readonly name?: string;
  readonly scripts?: { readonly build?: string };
}

function findPackageRoot(folder: string): string {
  const isIt = getPathKind(join(folder, 'package.json')) === 'file' || folder === dirname(folder);
  return isIt ? folder : findPackageRoot(dirname(folder));
}

/**
 * Builds a package from its sources, as `npm run build` does.
 *
 * @returns what the build printed when it failed, undefined when it succeeded
 */
export function runBuild({ build, folder }: DevPackage, signal: AbortSignal): Promise<string | undefined> {
  if (build === undefined) return Promise.resolve(undefined);
  const PATH = [...listBinFolders(folder), process.env['PATH'] ?? ''].join(delimiter);
  const env = { ...process.env, PATH };
  const child = spawn(build, { cwd: folder, env, shell: true, signal, stdio: ['ignore', 'pipe', 'pipe'] });
  let printed = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (text: string) => (printed += text));
  }
  return new Promise((resolve) => {
    child.on('error', (error) => resolve(error.message));
    child.on('close', (code) => resolve(code === 0 ? undefined : printed.trim() || `${build} ended with ${code}`));
  });
}

/** Where packages install their programs, including those of the project that contains the package. */
function listBinFolders(folder: string): readonly string[] {
  const above = dirname(folder);
  const own = join(folder, 'node_modules/.bin');
  return above === folder ? [own] : [own, ...listBinFolders(above)];
}
