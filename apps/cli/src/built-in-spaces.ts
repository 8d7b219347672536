import type { SpaceSource } from '@bae/core';
import { SourceSpace } from '@bae/source';
import { TasksSpace } from '@bae/tasks';

/** The space whose tools act at home, as `disabled` names it. */
export const HOME = 'filesystem';

/** The spaces below home that are there unless the configuration says otherwise, by name. */
export const BUILT_IN: Readonly<Record<string, SpaceSource>> = { source: SourceSpace, tasks: TasksSpace };
