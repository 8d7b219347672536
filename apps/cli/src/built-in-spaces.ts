import { join } from 'node:path';
import { GitSpace, ScriptsSpace } from '@bae/commands';
import type { SpaceSource } from '@bae/core';
import { MemorySpace } from '@bae/memory';
import { SearchSpace } from '@bae/search';
import { SourceSpace } from '@bae/source';
import { TasksSpace } from '@bae/tasks';
import { getPathKind, listAncestors } from './config/disk.ts';

/** Name of the space whose tools act at home. */
export const HOME = 'filesystem';

/** Default spaces below home. */
export const BUILT_IN: Readonly<Record<string, SpaceSource>> = {
  source: SourceSpace,
  memory: MemorySpace,
  scripts: ScriptsSpace,
  git: GitSpace,
  search: SearchSpace,
  tasks: TasksSpace,
};

/** Returns false for git in a folder outside a repository, unless the settings name it. */
export function isOfUse(name: string | undefined, root: string): boolean {
  return name !== 'git' || listAncestors(root).some((folder) => getPathKind(join(folder, '.git')) !== 'nothing');
}

/** Name of the space for commands, which exists only if the user enables it. */
export const TERMINAL = 'terminal';

/** Words that ask for that space. */
export const COMMAND_WORDS: readonly string[] =
  'bash command commands exec execute process program pytest python script sh shell terminal'.split(' ');

/** Name of the space for skills, which exists only if there are skills. */
export const SKILLS = 'skills';

/** Reserved names below home. */
export const OWN_NAMES: readonly string[] = [...Object.keys(BUILT_IN), TERMINAL, SKILLS];
