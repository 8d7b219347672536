import { ConfigurationError } from '@bae/core';
import type { OpenAgent, Workspaces } from '@bae/server';
import { chooseModelFor, WAYS_TO_A_MODEL } from '../choose-model.ts';
import type { CommandContext } from '../command-line/command.ts';
import { composeAgent } from '../compose.ts';
import { loadInstructions } from '../config/instructions.ts';
import { loadSettings } from '../config/settings.ts';
import { nameFolderTasks, type Backend } from './backend.ts';

/**
 * Opens the agents of sessions with their spaces and workspaces, and the settings of the operator. Settings, packages,
 * servers and instructions of a workspace are used if the operator has trusted them; nobody is asked.
 *
 * @param openTasks opens the tasks that machines share. Default: they are in the workspace
 */
export function openServedAgents(
  context: CommandContext,
  workspaces: Workspaces,
  openTasks?: Backend['openTasks'],
): OpenAgent {
  return async (session, { ask, askPerson, wrapApprover, memory, log, results, resume, ...limits }) => {
    const root = await workspaces.open(session);
    const options = { ...context.options, cwd: root, json: true, yes: false, allowCommands: false };
    const own = { ...context, options, root, terminal: { ...context.terminal, interactive: false } };
    const settings = await loadSettings({ ...own, trustedOnly: true });
    const { model } = await chooseModelFor(settings, own);
    if (model === undefined) throw new ConfigurationError('there is no model.', [WAYS_TO_A_MODEL]);
    const instructions = await loadInstructions(root, own);
    const { workspace } = session;
    const list = workspace.type === 'folder' ? nameFolderTasks(workspace.name) : memory.cwd;
    const database = await openTasks?.(list);
    const agent = composeAgent({ ...settings, ...tightenLimits(settings, limits) }, own, {
      model,
      kept: { log, results, resume },
      instructions,
      ask,
      askPerson,
      wrapApprover,
      openCommands: 'the operator can set commands: true in the settings',
      ...(database && { tasks: { database, caller: 'agent' } }),
      memory: { openStore: async () => memory.store, cwd: memory.cwd, isShared: true },
      ...(!session.spaces.includes('*') && { only: session.spaces }),
    });
    const { telemetry, captureContent } = context.options;
    // Loaded only if requested.
    const observe = telemetry ? (await import('@bae/telemetry')).observeAgent : undefined;
    const end = observe?.(agent, { model: model.name, conversation: session.id, captureContent });
    return {
      agent,
      close: async () => {
        end?.();
        await agent.close();
        await model.dispose?.();
      },
    };
  };
}

type Limits = Pick<Parameters<OpenAgent>[1], 'maxTokens' | 'maxCost' | 'maxCalls'>;

/** Returns the smaller value of each limit: that of the settings, or the rest of a budget. */
function tightenLimits(settings: Limits, budget: Limits): Limits {
  const names = ['maxTokens', 'maxCost', 'maxCalls'] as const;
  const smaller = names.map((name) => [name, Math.min(settings[name] ?? Infinity, budget[name] ?? Infinity)] as const);
  return Object.fromEntries(smaller.filter(([, limit]) => limit < Infinity));
}
