import type { Workspaces } from '@bae/server';
import { HOME, OWN_NAMES } from '../built-in-spaces.ts';
import type { CommandContext } from '../command-line/command.ts';
import { composeAgent } from '../compose.ts';
import { loadSettings } from '../config/settings.ts';

/**
 * Lists the spaces that a served session in a folder can have: those of bae, of which some only exist where they are of
 * use, and those of the operator's settings.
 */
export async function listSpaceNames(root: string, context: CommandContext): Promise<readonly string[]> {
  const options = { ...context.options, cwd: root, json: true, yes: false, allowCommands: false };
  const own = { ...context, options, root, terminal: { ...context.terminal, interactive: false } };
  const settings = await loadSettings({ ...own, trustedOnly: true });
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
