import { createAgent, type Agent, type AgentOptions, type Approver, type CodeRunner, type Model } from '@bae/core';
import { FilesystemSpace } from '@bae/filesystem';
import { provideSource } from '@bae/source';
import { provideTasks } from '@bae/tasks';
import { provideWorkspace } from '@bae/workspace';
import { BUILT_IN, HOME } from './built-in-spaces.ts';
import type { CommandContext } from './command-line/command.ts';
import { locateTasks, openSettings, type Settings } from './config/settings.ts';
import { createApprover } from './consent/approver.ts';
import { LiveSpaces } from './dev/live-spaces.ts';
import type { Terminal } from './terminal/terminal.ts';
import { createIndexProgress, createWaiting } from './views/waiting.ts';

/** The parts of an agent that the settings do not have. */
export interface AgentParts {
  readonly model?: Model;
  readonly approver: Approver;
  /** Where a person sees what bae is waiting for. Default: nowhere. */
  readonly terminal?: Terminal;
  /** Where the session is kept, and what it resumes. */
  readonly kept?: Pick<AgentOptions, 'log' | 'results' | 'resume'>;
}

/** Creates the agent of this app: its spaces, and what they work on. */
export function composeAgent(settings: Settings, { model, approver, kept, terminal }: AgentParts): Agent {
  const { root, cap, maxBatches, spaces, disabled = [] } = settings;
  const live = new LiveSpaces(root);
  const onProgress = terminal && createIndexProgress(terminal.status);
  const provide = [
    provideWorkspace(root, { journal: 'disk' }),
    provideTasks({ file: locateTasks(root), caller: 'agent' }),
    provideSource({ meta: live, onProgress }),
  ];
  const agent = createAgent({
    ...(!disabled.includes(HOME) && { home: FilesystemSpace }),
    spaces: spaces?.(provide, live) ?? Object.values(BUILT_IN),
    provide,
    approver,
    codeRunner: createLazySandbox(),
    ...kept,
    ...(model !== undefined && { model }),
    ...(cap !== undefined && { cap }),
    ...(maxBatches !== undefined && { maxBatches }),
  });
  if (terminal !== undefined) agent.subscribe(createWaiting(terminal.status));
  return agent;
}

/** An agent that executes nothing, for commands that only look at its spaces. */
export async function composeInertAgent(context: CommandContext): Promise<Agent> {
  return composeAgent(await openSettings(context), { approver: createApprover({ yes: false }) });
}

/** Runs code in the sandbox, which is loaded with the first run block. */
export function createLazySandbox(): CodeRunner {
  let sandbox: Promise<CodeRunner> | undefined;
  const load = (): Promise<CodeRunner> => (sandbox ??= import('@bae/sandbox').then(({ Sandbox }) => new Sandbox()));
  return {
    run: async (code, options) => (await load()).run(code, options),
    forget: async (session) => (await sandbox)?.forget?.(session),
  };
}
