import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { ConfigurationError } from '@bae/core';

export type ScaffoldFiles = ReadonlyMap<string, string>;

/** Reads the files below several folders; those of a later folder replace those of an earlier one. */
export function readLayers(folders: readonly string[]): ScaffoldFiles {
  const files = folders.flatMap((folder) => listFiles(folder).map((path) => ({ folder, path })));
  return new Map(files.map(({ folder, path }) => [path, readFileSync(join(folder, path), 'utf8')]));
}

/** Writes files into a new or empty folder. @throws ConfigurationError when it is not empty, or cannot be written */
export function writeScaffold(folder: string, files: ScaffoldFiles): void {
  if (listEntries(folder).some((name) => name !== '.git')) {
    const problem = `${folder} already exists and is not empty. Nothing was written.`;
    throw new ConfigurationError(problem, ['--dir DIR with a folder that does not exist yet']);
  }
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
  const entries = readdirSync(folder, { recursive: true, withFileTypes: true });
  return entries.filter((one) => one.isFile()).map(({ parentPath, name }) => relative(folder, join(parentPath, name)));
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
