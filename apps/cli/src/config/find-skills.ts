import { homedir } from 'node:os';
import { join } from 'node:path';
import { PROJECT_FOLDERS, type SkillFolder } from '@bae/skills';
import { locateUserFolder } from '../user-key.ts';
import { getPathKind } from './disk.ts';
import type { Settings } from './settings.ts';

/** Folders with skills, which are there. */
export interface FoundSkills {
  /** Those of the user, and of the packages that the user trusts. */
  readonly folders: readonly SkillFolder[];
  /** Those of the project, absolute. */
  readonly ofProject: readonly string[];
}

/** Finds the folders with skills; of skills with one name that of the project goes first, then that of the user. */
export function findSkills(
  { root, packages = [] }: Pick<Settings, 'root' | 'packages'>,
  env: Readonly<Record<string, string | undefined>>,
): FoundSkills {
  const home = env['HOME'] ?? homedir();
  const own = [join(locateUserFolder(env), 'skills'), ...PROJECT_FOLDERS.map((folder) => join(home, folder))];
  const folders = [
    ...own.map((path) => ({ path, from: 'yours' })),
    ...packages.map(({ name, folder }) => ({ path: join(folder, 'skills'), from: `of ${name}` })),
  ].filter(({ path }) => getPathKind(path) === 'folder');
  const ofProject = PROJECT_FOLDERS.map((folder) => join(root, folder)).filter(
    (path) => getPathKind(path) === 'folder',
  );
  return { folders, ofProject };
}
