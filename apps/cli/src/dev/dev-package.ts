import { spawn } from 'node:child_process';
import { delimiter, join, relative } from 'node:path';
import { listAncestors, resolveLinks } from '../config/disk.ts';
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
  const { name, build, ...found } = await findPackage(named, cwd);
  const folder = resolveLinks(found.folder);
  const path = relative(found.folder, found.entry);
  const [top = ''] = path.split('/');
  const output = build === undefined || top === 'src' || top === path ? undefined : top;
  const stamp = (): string => readCodeStamp(folder, output);
  return { name, folder, entry: join(folder, path), ...(build !== undefined && { build }), stamp };
}

/** Builds a package, as `npm run build` does. Returns the output of the build when it failed, else undefined. */
export function runBuild({ build, folder }: DevPackage, signal: AbortSignal): Promise<string | undefined> {
  if (build === undefined) return Promise.resolve(undefined);
  const programs = listAncestors(folder).map((one) => join(one, 'node_modules/.bin'));
  const PATH = [...programs, process.env['PATH'] ?? ''].join(delimiter);
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
