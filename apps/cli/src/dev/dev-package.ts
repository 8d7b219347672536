import { basename, dirname, join, relative, resolve } from 'node:path';
import { kindOfPath, readTextFile } from '../config/disk.ts';
import { findPackage } from '../conformance/find-package.ts';
import { codeStamp, realPath } from './code-stamp.ts';

/** A package that somebody is at work on. */
export interface DevPackage {
  readonly name: string;
  /** Absolute, without links. */
  readonly folder: string;
  /** Module that exports its spaces, absolute. */
  readonly entry: string;
  /** The command that makes it from its sources; undefined when there is nothing to make. */
  readonly build?: string;
  /** A text that is another one after its sources were changed. */
  readonly stamp: () => string;
}

/**
 * Finds the package that is meant by its folder, by a module, or by its name.
 *
 * @throws ConfigurationError when there is none
 */
export async function devPackage(named: string, cwd: string): Promise<DevPackage> {
  const { entry } = await findPackage(named, cwd);
  if (kindOfPath(resolve(cwd, named)) === 'file') {
    const folder = realPath(dirname(entry));
    return { name: basename(entry), folder, entry: join(folder, basename(entry)), stamp: () => codeStamp(folder) };
  }
  const folder = realPath(folderWithManifest(dirname(entry)));
  const { name = basename(folder), scripts = {} } = JSON.parse(readTextFile(join(folder, 'package.json'))) as Manifest;
  const own = join(folder, relative(folderWithManifest(dirname(entry)), entry));
  const [top] = relative(folder, own).split('/');
  const made = scripts['build'] === undefined || top === 'src' || top === basename(own) ? undefined : top;
  return {
    name,
    folder,
    entry: own,
    ...(scripts['build'] !== undefined && { build: scripts['build'] }),
    stamp: () => codeStamp(folder, made),
  };
}

interface Manifest {
  readonly name?: string;
  readonly scripts?: Readonly<Record<string, string>>;
}

function folderWithManifest(folder: string): string {
  const isIt = kindOfPath(join(folder, 'package.json')) === 'file' || folder === dirname(folder);
  return isIt ? folder : folderWithManifest(dirname(folder));
}
