import { homedir } from 'node:os';
import { join } from 'node:path';
import { PROJECT_FOLDERS, type SkillFolder } from '@bae/skills';
import { locateUserFolder } from '../user-key.ts';
import { getPathKind } from './disk.ts';
import type { Settings } from './settings.ts';

/** Where skills are, besides the folders of the project. */
export interface FoundSkills {
  readonly folders: readonly SkillFolder[];
  /** True when there is a folder for skills anywhere: then the place is there. */
  readonly areThere: boolean;
}

/** Finds the folders with skills: those of the user, and of the packages that the user trusts. */
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
  const ofProject = PROJECT_FOLDERS.some((folder) => getPathKind(join(root, folder)) === 'folder');
  return { folders, areThere: ofProject || folders.length > 0 };
}
