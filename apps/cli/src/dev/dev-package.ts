import { spawn } from 'node:child_process';
import { basename, delimiter, dirname, join, relative, resolve } from 'node:path';
import { getPathKind, readTextFile, resolveLinks } from '../config/disk.ts';
import { findPackage } from '../conformance/find-package.ts';
import { readCodeStamp } from './code-changes.ts';

export interface DevPackage {
  readonly name: string;
  /** Absolute, without links. */
  readonly folder: string;
  /** The module that exports its spaces, absolute. */
  readonly entry: string;
  /** The command that builds it, if any. */
  readonly build?: string;
  /** Returns a text that differs after a change of its sources. */
  readonly stamp: () => string;
}

/** Finds a package by its folder, a module, or its name. @throws ConfigurationError when there is none */
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

/** Builds a package, as `npm run build` does. Returns the output of the build when it failed, else undefined. */
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

/** The folders of installed programs, those of the surrounding project too. */
function listBinFolders(folder: string): readonly string[] {
  const above = dirname(folder);
  const own = join(folder, 'node_modules/.bin');
  return above === folder ? [own] : [own, ...listBinFolders(above)];
}
