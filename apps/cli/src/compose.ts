import { createAgent, type Agent, type AgentOptions, type Approver, type Model } from '@bae/core';
import { FilesystemSpace } from '@bae/filesystem';
import { provideSource } from '@bae/source';
import { provideTasks } from '@bae/tasks';
import { provideWorkspace } from '@bae/workspace';
import { BUILT_IN, HOME } from './built-in-spaces.ts';
import { tasksFile, type Settings } from './config/settings.ts';
import { lazySandbox } from './lazy-sandbox.ts';
import { LiveSpaces } from './meta/live-spaces.ts';
import { indexingLine } from './terminal/indexing-line.ts';
import type { Terminal } from './terminal/terminal.ts';
import { Waiting } from './views/waiting.ts';

/** What an agent is given besides the settings. */
export interface AgentParts {
  readonly model?: Model;
  readonly approver: Approver;
  /** Where a person is told what is waited for. Default: nowhere. */
  readonly terminal?: Terminal;
  /** Where the session is kept, and what it goes on from. */
  readonly kept?: Pick<AgentOptions, 'log' | 'results' | 'resume'>;
}

/** Puts the agent of this app together: which spaces there are, and what they work on. */
export function composeAgent(settings: Settings, { model, approver, kept, terminal }: AgentParts): Agent {
  const { root, cap, maxBatches, spaces, disabled = [] } = settings;
  const live = new LiveSpaces(root);
  const onProgress = terminal && indexingLine(terminal.status);
  const provide = [
    provideWorkspace(root, { journal: 'disk' }),
    provideTasks({ file: tasksFile(root), caller: 'agent' }),
    provideSource({ meta: live, onProgress }),
  ];
  const agent = createAgent({
    ...(!disabled.includes(HOME) && { home: FilesystemSpace }),
    spaces: spaces?.({ provide, builtIn: BUILT_IN, live }) ?? Object.values(BUILT_IN),
    provide,
    approver,
    codeRunner: lazySandbox(),
    ...kept,
    ...(model !== undefined && { model }),
    ...(cap !== undefined && { cap }),
    ...(maxBatches !== undefined && { maxBatches }),
  });
  if (terminal !== undefined) {
    const waiting = new Waiting(terminal.status);
    agent.subscribe((event) => waiting.handle(event));
  }
  return agent;
}
