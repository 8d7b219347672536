import { createAgent, type Agent, type AgentOptions, type Approver, type Model } from '@bae/core';
import { FilesystemSpace } from '@bae/filesystem';
import { provideTasks } from '@bae/tasks';
import { provideWorkspace } from '@bae/workspace';
import { BUILT_IN, HOME } from './built-in-spaces.ts';
import type { Settings } from './config/settings.ts';
import { lazySandbox } from './lazy-sandbox.ts';
import { tasksFile } from './tasks/tasks-file.ts';

/** What an agent is given besides the settings. */
export interface AgentParts {
  readonly model?: Model;
  readonly approver: Approver;
  /** Where the session is kept, and what it goes on from. */
  readonly kept?: Pick<AgentOptions, 'log' | 'results' | 'resume'>;
}

/** Puts the agent of this app together: which spaces there are, and what they work on. */
export function composeAgent(settings: Settings, { model, approver, kept }: AgentParts): Agent {
  const { root, cap, maxBatches, spaces, disabled = [] } = settings;
  const provide = [
    provideWorkspace(root, { journal: 'disk' }),
    provideTasks({ file: tasksFile(root), caller: 'agent' }),
  ];
  return createAgent({
    ...(!disabled.includes(HOME) && { home: FilesystemSpace }),
    spaces: spaces?.({ provide, builtIn: BUILT_IN }) ?? Object.values(BUILT_IN),
    provide,
    approver,
    codeRunner: lazySandbox(),
    ...kept,
    ...(model !== undefined && { model }),
    ...(cap !== undefined && { cap }),
    ...(maxBatches !== undefined && { maxBatches }),
  });
}
