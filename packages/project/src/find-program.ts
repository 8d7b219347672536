import { constants } from 'node:fs';
import { access, realpath, stat } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { listProgramFolders } from './environment.ts';

/** A program: the path that is started, and the file that it resolves to. */
export interface FoundProgram {
  /** Absolute. */
  readonly path: string;
  readonly realPath: string;
}

/**
 * Finds a program: a path is resolved relative to the folder, and a name is looked up in the PATH, ignoring folders
 * that are relative or in the project. Returns undefined if no executable file is found.
 */
export async function findProgram(
  name: string,
  { folder, project = folder }: { readonly folder: string; readonly project?: string },
): Promise<FoundProgram | undefined> {
  const paths = name.includes('/')
    ? [resolve(folder, name)]
    : listProgramFolders(project).map((place) => join(place, name));
  for (const path of paths) {
    try {
      await access(path, constants.X_OK);
      if ((await stat(path)).isFile()) return { path, realPath: await realpath(path) };
    } catch {
      // Try the next one.
    }
  }
  return undefined;
}
