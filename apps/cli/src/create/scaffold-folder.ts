import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { ConfigurationError } from '@bae/core';

export type ScaffoldFiles = ReadonlyMap<string, string>;

/** What a folder may have in it already, because it is no file of anybody's. */
const HARMLESS = new Set(['.git']);

/** The files below a folder, the later layers in place of the earlier ones. */
export function readLayers(folders: readonly string[]): ScaffoldFiles {
  return new Map(folders.flatMap((folder) => listFiles(folder).map((path) => [path, readText(folder, path)] as const)));
}

/**
 * Writes files into a folder, which it makes. Nothing that is there is changed.
 *
 * @throws ConfigurationError when the folder has something in it, or cannot be written
 */
export function writeScaffold(folder: string, files: ScaffoldFiles): void {
  if (listEntries(folder).some((name) => !HARMLESS.has(name)))
    throw new ConfigurationError(`${folder} is there already, and not empty. Nothing was written.`, [
      '--dir DIR with a folder that is not there yet',
    ]);
  try {
    for (const [path, text] of files) {
      mkdirSync(join(folder, dirname(path)), { recursive: true });
      writeFileSync(join(folder, path), text, { flag: 'wx' });
    }
  } catch (error) {
    throw new ConfigurationError(`${folder} cannot be written: ${(error as Error).message}.`, ['--dir DIR'], error);
  }
}

function listFiles(folder: string): readonly string[] {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const below = (): readonly string[] => listFiles(join(folder, entry.name));
    return entry.isDirectory() ? below().map((path) => join(entry.name, path)) : [entry.name];
  });
}

function readText(folder: string, path: string): string {
  return readFileSync(join(folder, path), 'utf8');
}

function listEntries(folder: string): readonly string[] {
  try {
    return readdirSync(folder);
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT') return [];
    throw new ConfigurationError(`${folder} cannot be used: ${message}.`, ['--dir DIR'], error);
  }
}
