import { join } from 'node:path';
import { GitSpace, ScriptsSpace } from '@bae/commands';
import type { SpaceSource } from '@bae/core';
import { MemorySpace } from '@bae/memory';
import { SearchSpace } from '@bae/search';
import { SourceSpace } from '@bae/source';
import { TasksSpace } from '@bae/tasks';
import { getPathKind, listAncestors } from './config/disk.ts';

/** The name of the space whose tools act at home. */
export const HOME = 'filesystem';

/** The default spaces below home. */
export const BUILT_IN: Readonly<Record<string, SpaceSource>> = {
  source: SourceSpace,
  memory: MemorySpace,
  scripts: ScriptsSpace,
  git: GitSpace,
  search: SearchSpace,
  tasks: TasksSpace,
};

/** False for git in a folder that is in no repository, unless the settings name it. */
export function isOfUse(name: string | undefined, root: string): boolean {
  return name !== 'git' || listAncestors(root).some((folder) => getPathKind(join(folder, '.git')) !== 'nothing');
}

/** The name of the space for commands, which is there only where the user turns it on. */
export const TERMINAL = 'terminal';

/** The name of the space for skills, which is there only where there are some. */
export const SKILLS = 'skills';

/** Names that nothing else below home may have. */
export const OWN_NAMES: readonly string[] = [...Object.keys(BUILT_IN), TERMINAL, SKILLS];
