import { ConfigurationError } from '@bae/core';
import { maskKeys } from '@bae/core/pipeline';
import type { LiteralSecret } from '@bae/mcp';
import type { CommandContext } from '../command-line/command.ts';
import { UsageError } from '../command-line/errors.ts';
import { isAddress, type CliOptions } from '../command-line/options.ts';
import { getPathKind, writeUserFile } from '../config/disk.ts';
import { locateUserServers, readJsonFile } from '../config/load-servers.ts';
import { makeLineVisible } from '../terminal/terminal-text.ts';
import { locateUserFolder } from '../user-key.ts';

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
export function readUserServers({ terminal }: CommandContext): Readonly<Record<string, unknown>> {
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
export function listWarnings(
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
