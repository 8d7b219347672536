import { createAgent, type Agent, type AgentOptions, type Approver, type Model } from '@bae/core';
import { FilesystemSpace } from '@bae/filesystem';
import { provideWorkspace } from '@bae/workspace';
import type { Settings } from './config/settings.ts';

/** What an agent is given besides the settings. */
export interface AgentParts {
  readonly model?: Model;
  readonly approver: Approver;
  /** Where the session is kept, and what it goes on from. */
  readonly kept?: Pick<AgentOptions, 'log' | 'results' | 'resume'>;
}

/** Puts the agent of this app together: which spaces there are, and what they work on. */
export function composeAgent(settings: Settings, { model, approver, kept }: AgentParts): Agent {
  const { root, cap, maxBatches, spaces = [] } = settings;
  return createAgent({
    home: FilesystemSpace,
    spaces,
    provide: [provideWorkspace(root, { journal: 'disk' })],
    approver,
    ...kept,
    ...(model !== undefined && { model }),
    ...(cap !== undefined && { cap }),
    ...(maxBatches !== undefined && { maxBatches }),
  });
}
