import { homedir } from 'node:os';
import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import type { ServerSettings } from '@bae/mcp';
import type { CommandContext } from '../command-line/command.ts';
import { getPathKind } from '../config/disk.ts';
import { readJsonFile, readOr } from '../config/load-servers.ts';
import { resolveRoot } from '../config/settings.ts';
import { confirm } from '../consent/ask-approval.ts';
import { makeLineVisible } from '../terminal/terminal-text.ts';
import { changeUserServers, listWarnings, readUserServers } from './add-server.ts';

/** Files below the home folder in which other agents keep the servers of a user. */
const OTHER_AGENTS: readonly (readonly [agent: string, file: string])[] = [
  ['Claude Code', '.claude.json'],
  ['Claude Desktop', '.config/Claude/claude_desktop_config.json'],
  ['Claude Desktop', 'Library/Application Support/Claude/claude_desktop_config.json'],
  ['Cursor', '.cursor/mcp.json'],
  ['VS Code', '.config/Code/User/mcp.json'],
  ['VS Code', 'Library/Application Support/Code/User/mcp.json'],
  ['Windsurf', '.codeium/windsurf/mcp_config.json'],
  ['Gemini CLI', '.gemini/settings.json'],
];

interface OtherServer {
  readonly agent: string;
  readonly settings: ServerSettings;
}

/**
 * Finds the servers of the user's other agents, by name: two of one name that differ are both found, the second under a
 * name with its agent's.
 *
 * @param report gets what cannot be read, which is left out
 */
async function findOtherServers(
  { home, folder }: { readonly home: string; readonly folder: string },
  report: (problem: string) => void,
): Promise<ReadonlyMap<string, OtherServer>> {
  const { readServers } = await import('@bae/mcp');
  const servers = new Map<string, OtherServer>();
  for (const [agent, path] of OTHER_AGENTS) {
    const file = join(home, path);
    if (getPathKind(file) !== 'file') continue;
    const value = Object(readOr(() => readJsonFile(file), report)) as Readonly<Record<string, unknown>>;
    // By default, Claude Code adds a server for the current folder only.
    const ofFolder = Object(Object(value['projects'])[folder]) as Readonly<Record<string, unknown>>;
    for (const part of [ofFolder, value]) {
      if (part['mcpServers'] === undefined && part['servers'] === undefined) continue;
      for (const [name, settings] of readOr(() => readServers(part, file, report), report) ?? []) {
        const same = servers.get(name);
        if (same !== undefined && isDeepStrictEqual(same.settings, settings)) continue;
        servers.set(same === undefined ? name : `${name}_${agent.replaceAll(' ', '_')}`, { agent, settings });
      }
    }
  }
  return servers;
}

/** Shows the servers configured in the user's other agents, and imports them if the user agrees. */
export async function importServers(context: CommandContext): Promise<number> {
  const { terminal, options } = context;
  const { describeServer, findLiteralSecrets } = await import('@bae/mcp');
  const home = terminal.env['HOME'] ?? homedir();
  const found = await findOtherServers({ home, folder: resolveRoot(options, terminal.cwd) }, (problem) => {
    terminal.err.write(`bae: left out: ${makeLineVisible(problem)}\n`);
  });
  const known = readUserServers(context);
  const isNew = ([name]: readonly [string, OtherServer]): boolean => !Object.hasOwn(known, name);
  for (const [name, { agent, settings }] of found) {
    const about = isNew([name, { agent, settings }]) ? agent : `${agent}; you have one of this name, which stays`;
    const lines = [`${name}  (${about})`, ...describeServer(settings).map((line) => `  ${line}`)];
    terminal.out.write(`${lines.map(makeLineVisible).join('\n')}\n`);
  }
  const wanted = [...found].filter(isNew);
  if (wanted.length === 0) {
    terminal.out.write(found.size === 0 ? '(no servers of other agents were found)\n' : '(nothing new)\n');
    return 0;
  }
  const about = { refused: 'not taken over', command: 'bae mcp import' };
  if (!(await confirm({ verb: 'take over', object: 'them', yes: 'yes, all of them', ...about }, context))) return 1;
  const added = Object.fromEntries(wanted.map(([name, { settings }]) => [name, settings]));
  const file = changeUserServers(context, (servers) => ({ ...added, ...servers }));
  for (const [name, { settings }] of wanted) {
    const warned = { ...settings, literals: findLiteralSecrets(settings) } as Parameters<typeof listWarnings>[1];
    for (const warning of listWarnings(name, warned, file)) terminal.err.write(`bae: ${makeLineVisible(warning)}\n`);
  }
  terminal.out.write(`taken over: ${Object.keys(added).map(makeLineVisible).join(', ')}, in ${file}\n`);
  return 0;
}
