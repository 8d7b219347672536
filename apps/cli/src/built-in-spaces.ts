import type { SpaceSource } from '@bae/core';
import { MemorySpace } from '@bae/memory';
import { SearchSpace } from '@bae/search';
import { ScriptsSpace, SourceSpace } from '@bae/source';
import { TasksSpace } from '@bae/tasks';

/** The name of the space whose tools act at home. */
export const HOME = 'filesystem';

/** The default spaces below home. */
export const BUILT_IN: Readonly<Record<string, SpaceSource>> = {
  source: SourceSpace,
  memory: MemorySpace,
  scripts: ScriptsSpace,
  search: SearchSpace,
  tasks: TasksSpace,
};
