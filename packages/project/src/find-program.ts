import { constants } from 'node:fs';
import { access, realpath, stat } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { listProgramFolders } from './environment.ts';

/** A program as it is started, and the file that its links lead to. */
export interface FoundProgram {
  /** Absolute. */
  readonly path: string;
  readonly realPath: string;
}

/**
 * Finds a program: a path as it is, from the folder on; a name on the PATH, without its folders that are relative or
 * in the project. Undefined when there is none that can be run.
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
      // The next one.
    }
  }
  return undefined;
}
