import { homedir } from 'node:os';
import { join } from 'node:path';
import { PROJECT_FOLDERS, type SkillFolder } from '@bae/skills';
import { locateUserFolder } from '../user-key.ts';
import { getPathKind } from './disk.ts';
import type { Settings } from './settings.ts';

/** Existing folders with skills. */
export interface FoundSkills {
  /** Skill folders of the user, and of the packages that the user trusts. */
  readonly folders: readonly SkillFolder[];
  /** Skill folders of the project, as absolute paths. */
  readonly ofProject: readonly string[];
}

/** Finds the folders with skills. If names are equal, skills of the project come first, then those of the user. */
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
