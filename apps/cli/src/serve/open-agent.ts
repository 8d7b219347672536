import { ConfigurationError } from '@bae/core';
import type { OpenAgent, Workspaces } from '@bae/server';
import { HOME, OWN_NAMES } from '../built-in-spaces.ts';
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
    const { own, settings } = await enterFolder(root, context);
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

/**
 * Lists the spaces that a served session in a folder can have: those of bae, of which some only exist where they are of
 * use, and those of the operator's settings.
 */
export async function listSpaceNames(root: string, context: CommandContext): Promise<readonly string[]> {
  const { own, settings } = await enterFolder(root, context);
  const agent = composeAgent(settings, own);
  const { disabled = [] } = settings;
  const names = agent.tree.below([]).map(({ name }) => name);
  await agent.close();
  const ours = [HOME, ...OWN_NAMES].filter((name) => !disabled.includes(name));
  return Array.from(new Set([...ours, ...names])).toSorted();
}

/** Returns a function that lists the spaces of a workspace; undefined if only its workers have the folder. */
export function listSpacesIn(workspaces: Workspaces, context: CommandContext) {
  return async (workspace: Parameters<Workspaces['check']>[0]): Promise<readonly string[] | undefined> => {
    const session = { id: 'none', workspace: workspace.type === 'git' ? ({ type: 'none' } as const) : workspace };
    if (workspaces.findObstacle(session) !== undefined) return undefined;
    return listSpaceNames(await workspaces.open(session), context);
  };
}

/** Returns the context of a folder in which nobody is asked, and the settings there that the operator has trusted. */
async function enterFolder(root: string, context: CommandContext) {
  const options = { ...context.options, cwd: root, json: true, yes: false, allowCommands: false };
  const own = { ...context, options, root, terminal: { ...context.terminal, interactive: false } };
  return { own, settings: await loadSettings({ ...own, trustedOnly: true }) };
}

type Limits = Pick<Parameters<OpenAgent>[1], 'maxTokens' | 'maxCost' | 'maxCalls'>;

/** Returns the smaller value of each limit: that of the settings, or the rest of a budget. */
function tightenLimits(settings: Limits, budget: Limits): Limits {
  const names = ['maxTokens', 'maxCost', 'maxCalls'] as const;
  const smaller = names.map((name) => [name, Math.min(settings[name] ?? Infinity, budget[name] ?? Infinity)] as const);
  return Object.fromEntries(smaller.filter(([, limit]) => limit < Infinity));
}
