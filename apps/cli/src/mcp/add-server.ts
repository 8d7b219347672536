import { homedir } from 'node:os';
import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { ConfigurationError } from '@bae/core';
import { maskKeys } from '@bae/core/pipeline';
import type { LiteralSecret, ServerSettings } from '@bae/mcp';
import type { CommandContext } from '../command-line/command.ts';
import { UsageError } from '../command-line/errors.ts';
import { isAddress, type CliOptions } from '../command-line/options.ts';
import { getPathKind, writeUserFile } from '../config/disk.ts';
import { locateUserServers, readJsonFile, readOr } from '../config/load-servers.ts';
import { makeLineVisible } from '../terminal/terminal-text.ts';
import { locateUserFolder } from '../user-key.ts';
import { resolveRoot } from '../config/settings.ts';
import { confirm } from '../consent/ask-approval.ts';

const ADDED = 'bae mcp add takes a name, and a command or an address: bae mcp add github -- npx -y PACKAGE';

/** Options of servers that only programs have, and those that only addresses have. */
const OF_PROGRAMS = ['env', 'start-in'];
const OF_ADDRESSES = ['header', 'transport', 'client-id', 'client-secret', 'scope', 'callback-port'];
const OF_BOTH = ['sampling', 'timeout', 'start-timeout', 'disabled'];

/** Runs `bae mcp add NAME -- COMMAND ARG…` or `bae mcp add NAME URL`, for all folders of this user. */
export async function addServer(context: CommandContext, args: readonly string[]): Promise<number> {
  const { options, terminal } = context;
  const [name, target, ...rest] = args;
  if (name === undefined || target === undefined) throw new UsageError(ADDED);
  const isRemote = isAddress(target);
  const [wrong] = listGiven(options, isRemote ? OF_PROGRAMS : OF_ADDRESSES);
  if (wrong !== undefined) throw new UsageError(explainWrongOption(wrong, { name, target, isRemote }));
  if (options.yes)
    throw new UsageError(
      `bae mcp add asks nothing, so it takes no --yes. What belongs to the command stands behind it: bae mcp add ${name} npx -y PACKAGE`,
    );
  if (isRemote && rest.length > 0) throw new UsageError(`an address takes no arguments; got ${rest.join(' ')}.`);
  const settings = isRemote ? readRemote(target, options) : readProgram([target, ...rest], options);
  const { describeServer, findLiteralSecrets, readServer } = await import('@bae/mcp');
  const literals = findLiteralSecrets(readServer(settings, name));
  const file = changeUserServers(context, (servers) => {
    const known = servers[name];
    if (known === undefined) return { ...servers, [name]: settings };
    const [reach = ''] = describeServer(readServer(known, name));
    throw new ConfigurationError(`there is a server ${name} already (${reach}).`, [
      `bae mcp remove ${name}`,
      'another name',
    ]);
  });
  for (const warning of listWarnings(name, { ...settings, literals }, file))
    terminal.err.write(`bae: ${makeLineVisible(warning)}\n`);
  terminal.out.write(`${makeLineVisible(`added ${name} to ${file}`)}\n`);
  return 0;
}

/** @throws UsageError if an option of `bae mcp add` was given to another command */
export function refuseServerOptions(options: CliOptions, subcommand: string): void {
  const [wrong] = listGiven(options, [...OF_PROGRAMS, ...OF_ADDRESSES, ...OF_BOTH]);
  if (wrong !== undefined)
    throw new UsageError(`bae mcp ${subcommand} takes no --${wrong}; it belongs to bae mcp add.`);
}

interface UserFile {
  readonly file: string;
  readonly mcpServers?: Readonly<Record<string, unknown>>;
}

function readUserFile({ env }: CommandContext['terminal']): UserFile {
  const file = locateUserServers(locateUserFolder(env));
  return { ...(getPathKind(file) === 'file' ? (readJsonFile(file) as object) : {}), file };
}

/** Returns the user's servers by name, as they are written. @throws ConfigurationError if they cannot be read */
function readUserServers({ terminal }: CommandContext): Readonly<Record<string, unknown>> {
  return readUserFile(terminal).mcpServers ?? {};
}

/** Changes the user's servers, which are available in every folder. @returns the file */
export function changeUserServers(
  { terminal }: CommandContext,
  change: (servers: Readonly<Record<string, unknown>>) => Readonly<Record<string, unknown>>,
): string {
  const { file, mcpServers = {}, ...others } = readUserFile(terminal);
  const text = `${JSON.stringify({ ...others, mcpServers: change(mcpServers) }, undefined, 2)}\n`;
  if (!writeUserFile(file, text))
    throw new ConfigurationError(`${file} cannot be written.`, ['make its folder writable, or set BAE_HOME']);
  return file;
}

function listGiven(options: CliOptions, names: readonly string[]): readonly string[] {
  const given = new Map<string, unknown>(Object.entries(options));
  return names.filter((name) => {
    const value = given.get(name.replaceAll(/-(.)/g, (_, letter: string) => letter.toUpperCase()));
    return value !== undefined && value !== false;
  });
}

function explainWrongOption(
  option: string,
  { name, target, isRemote }: { readonly name: string; readonly target: string; readonly isRemote: boolean },
): string {
  if (isRemote)
    return (
      `--${option} is for a program, and ${target} is an address.` +
      (option === 'env'
        ? ` Give it a header: bae mcp add ${name} ${target} --header 'Authorization: Bearer \${TOKEN}'`
        : '')
    );
  return (
    `--${option} is for an address such as https://docs.example/mcp, and ${target} is a program.` +
    (option === 'header' ? ` Give it a variable: bae mcp add ${name} --env TOKEN -- ${target}` : '')
  );
}

interface WarnedSettings extends Pick<WrittenSettings, 'env' | 'headers' | 'oauth'> {
  /** Secrets in the arguments or the address. */
  readonly literals: readonly LiteralSecret[];
}

type Texts = Readonly<Record<string, string>>;

/** Settings in the format of the file; fields that were not given are absent. */
interface WrittenSettings {
  readonly url?: string;
  readonly env?: Texts;
  readonly headers?: Texts;
  readonly oauth?: { readonly clientSecret?: string };
}

function readProgram([command, ...args]: readonly string[], options: CliOptions): WrittenSettings {
  const { env = [], startIn } = options;
  const program = { command, args, ...(startIn !== undefined && { cwd: startIn }) };
  const variables = Object.fromEntries(env.map(readVariable));
  return { ...program, ...(env.length > 0 && { env: variables }), ...readCommon(options) };
}

function readRemote(url: string, options: CliOptions): WrittenSettings {
  const { header = [], transport, clientId, clientSecret, scope, callbackPort } = options;
  const oauth = {
    ...(clientId !== undefined && { clientId }),
    ...(clientSecret !== undefined && { clientSecret }),
    ...(scope !== undefined && { scopes: scope }),
    ...(callbackPort !== undefined && { callbackPort }),
  };
  return {
    ...(transport !== undefined && { type: transport }),
    url,
    ...(header.length > 0 && { headers: Object.fromEntries(header.map(readHeader)) }),
    ...(Object.keys(oauth).length > 0 && { oauth }),
    ...readCommon(options),
  };
}

function readCommon({ sampling, timeout, startTimeout, disabled }: CliOptions) {
  return {
    ...(sampling && { sampling }),
    ...(timeout !== undefined && { timeout }),
    ...(startTimeout !== undefined && { startTimeout }),
    ...(disabled && { disabled }),
  };
}

function readVariable(given: string): readonly [name: string, value: string] {
  const [, name, value] = /^([A-Za-z_]\w*)(?:=([^]*))?$/.exec(given) ?? [];
  if (name === undefined)
    throw new UsageError(
      `--env: expected NAME or NAME=VALUE, the name of letters, digits and _; got '${dropValue(given)}'. Type --env GITHUB_TOKEN`,
    );
  return [name, value ?? `\${${name}}`];
}

function readHeader(given: string): readonly [name: string, value: string] {
  const [, name, value = ''] = /^([\w!#$%&'*+.^`|~-]+):[ \t]*([^\r\n\0]*)$/.exec(given) ?? [];
  if (name === undefined || value.trim() === '')
    throw new UsageError(
      `--header: expected 'NAME: VALUE' in one line; got '${dropValue(given)}'. Type --header 'Authorization: Bearer \${TOKEN}'`,
    );
  return [name, value.trim()];
}

/** Shows what was given without its value, which may be secret. */
function dropValue(given: string): string {
  return given.replace(/(?<=[:=])[^]+/, '…');
}

const SECRET_NAME =
  /token|secret|password|passwd|api[-_]?key|access[-_]?key|credential|authorization|cookie|\bauth\b|_key$/i;

/** Tests whether a value looks like a secret, and is not the name of a variable. */
function isLiteralSecret([key, value]: readonly [string, string]): boolean {
  if (value === '' || value.includes('${')) return false;
  const line = `${key}: ${value}`;
  return SECRET_NAME.test(key) || maskKeys(line) !== line;
}

/** Lists the secrets that stand in the file themselves instead of a variable of the environment. */
function listWarnings(
  name: string,
  { env = {}, headers = {}, oauth = {}, literals }: WarnedSettings,
  file: string,
): readonly string[] {
  const own = `${name.replaceAll(/\W/g, '_').toUpperCase()}_TOKEN`;
  const warn = (key: string, variable: string, instead: string) =>
    `${key} looks like a secret and stands readable in ${file}. Safer: export ${variable}=…, bae mcp remove ${name}, then add it with ${instead}`;
  return [
    ...Object.entries(env)
      .filter(isLiteralSecret)
      .map(([key]) => warn(key, key, `--env '${key}=\${${key}}'`)),
    ...Object.entries(headers)
      .filter(isLiteralSecret)
      .map(([key, value]) => {
        const scheme = /^(?:bearer|basic|token) /i.exec(value)?.[0] ?? '';
        return warn(key, own, `--header '${key}: ${scheme}\${${own}}'`);
      }),
    ...(oauth.clientSecret !== undefined && !oauth.clientSecret.includes('${')
      ? [warn('--client-secret', own, `--client-secret '\${${own}}'`)]
      : []),
    ...literals.map(({ place }) => warn(place, own, `'\${${own}}' in its place`)),
  ];
}

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
