import { ConfigurationError } from '@bae/core';
import { z } from 'zod';
import {
  findSecretsInAddress,
  findSecretsInArguments,
  hideLiterals,
  type LiteralSecret,
} from './secrets/literal-secrets.ts';

const TEXTS = z.record(z.string(), z.string());

/** Settings of a program that communicates over its input and output. */
const PROGRAM = z.looseObject({
  type: z.literal('stdio').optional(),
  command: z.string().min(1),
  args: z.array(z.string()).default([]),
  /** Variables for the program besides PATH, HOME and the like; it gets no others from the environment. */
  env: TEXTS.default({}),
  cwd: z.string().optional(),
});

/** Settings of the login at a server over HTTP. */
const OAUTH = z.looseObject({
  /** Id of a client registered there in advance. Default: bae registers itself. */
  clientId: z.string().min(1).optional(),
  clientSecret: z.string().min(1).optional(),
  /** Address that identifies the authorization server for the secret. Default: the person is asked at the login. */
  issuer: z.url({ protocol: /^https?$/, error: 'expected an address such as https://login.example' }).optional(),
  scopes: z.array(z.string()).optional(),
  /** Port on this machine that the browser is redirected to. Default: any free port. */
  callbackPort: z.int().min(1).max(65_535).optional(),
});

export type OAuthSettings = z.output<typeof OAUTH>;

/** Settings of a server that is reached over HTTP. */
const REMOTE = z.looseObject({
  type: z.enum(['http', 'streamable-http', 'streamableHttp', 'sse']).optional(),
  url: z
    .url({ protocol: /^https?$/, error: 'expected an address such as https://docs.example/mcp' })
    .refine((url) => !/^https?:\/\/[^/]*@/.test(url), 'expected an address without a password: put it into headers'),
  headers: TEXTS.default({}),
  oauth: OAUTH.optional(),
});

const COMMON = z.looseObject({
  disabled: z.boolean().optional(),
  /** Time limit of one call, in milliseconds. */
  timeout: z.int().positive().optional(),
  /** Time limit until it is ready, in milliseconds. Default: a minute. */
  startTimeout: z.int().positive().optional(),
  /** True to let it ask the session's model during a call (sampling), each time with the user's consent. */
  sampling: z.boolean().optional(),
});

/** Settings of a server, in the format of `.mcp.json` and the settings of other agents. */
export type ServerSettings = (z.output<typeof PROGRAM> | z.output<typeof REMOTE>) & z.output<typeof COMMON>;

/** True for a program, false for a server that is reached over HTTP. */
export function isProgram(settings: ServerSettings): settings is ServerSettings & z.output<typeof PROGRAM> {
  return 'command' in settings;
}

/**
 * Reads the settings of a server.
 *
 * @param place named in errors: the file and the name
 * @throws ConfigurationError that names the field
 */
export function readServer(entry: unknown, place: string): ServerSettings {
  const isRemote = typeof entry === 'object' && entry !== null && 'url' in entry;
  const checked = (isRemote ? REMOTE : PROGRAM).and(COMMON).safeParse(entry);
  if (checked.success) return checked.data;
  const [issue] = checked.error.issues;
  const field = [place, ...issue!.path.map(String)].join('.');
  throw new ConfigurationError(`${field}: ${issue!.message}.`, [
    '{"command": "npx", "args": ["-y", "PACKAGE"]}',
    '{"url": "https://…"}',
  ]);
}

/**
 * Reads servers by name, from `{"mcpServers": {…}}`, which most agents use, or `{"servers": {…}}`.
 *
 * @param file named in errors
 * @param report gets what is wrong with an entry, which is left out then. Default: it is thrown
 * @throws ConfigurationError that names the field
 */
export function readServers(
  value: unknown,
  file: string,
  report?: (problem: string) => void,
): ReadonlyMap<string, ServerSettings> {
  const { mcpServers, servers = mcpServers } = Object(value) as Readonly<Record<string, unknown>>;
  const entries = z.record(z.string(), z.unknown()).safeParse(servers);
  if (!entries.success)
    throw new ConfigurationError(`${file}: mcpServers: expected an object with a server by each name.`, [
      '{"mcpServers": {"github": {"command": "npx", "args": ["-y", "PACKAGE"]}}}',
    ]);
  const read = new Map<string, ServerSettings>();
  for (const [name, entry] of Object.entries(entries.data)) {
    try {
      read.set(name, readServer(entry, `${file}: ${name}`));
    } catch (error) {
      if (report === undefined) throw error;
      report((error as Error).message);
    }
  }
  return read;
}

const VARIABLE = /\$\{(?:env:)?([A-Za-z_]\w*)(?::-([^}]*))?\}/g;
/** Matches a value that an editor asks its user for. */
const INPUT = /\$\{input:([^}]*)\}/;

/**
 * Returns the settings with `${NAME}`, `${env:NAME}` and `${NAME:-default}` replaced.
 *
 * @throws ConfigurationError for a variable that is not set, or that only editors support
 */
export function expandVariables(
  name: string,
  settings: ServerSettings,
  env: Readonly<Record<string, string | undefined>>,
): ServerSettings {
  const expand = (value: unknown): unknown => {
    const input = typeof value === 'string' ? INPUT.exec(value) : null;
    if (input !== null) {
      const variable = `\${${input[1]!.replaceAll(/\W/g, '_').toUpperCase()}}`;
      throw new ConfigurationError(
        `the server ${name} wants ${input[0]}, which only an editor asks for: write ${variable} in its place.`,
        [`export ${variable.slice(2, -1)}=…`],
      );
    }
    if (typeof value === 'string')
      return value.replace(VARIABLE, (_, variable: string, fallback?: string) => replace(variable, fallback));
    if (Array.isArray(value)) return value.map(expand);
    if (typeof value !== 'object' || value === null) return value;
    return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, expand(inner)]));
  };
  const replace = (variable: string, fallback: string | undefined): string => {
    const found = env[variable] ?? fallback;
    if (found !== undefined) return found;
    throw new ConfigurationError(`the server ${name} needs the variable ${variable}, which is not set.`, [
      `export ${variable}=…`,
    ]);
  };
  return expand(settings) as ServerSettings;
}

/** Returns a text with its variables replaced; those that are not set are left out. */
export function expandQuietly(text: string, env: Readonly<Record<string, string | undefined>>): string {
  return text.replace(VARIABLE, (_, variable: string, fallback = '') => env[variable] ?? fallback);
}

/** Lists the variables that settings name. */
export function listVariables(settings: ServerSettings): readonly string[] {
  return Array.from(JSON.stringify(settings).matchAll(VARIABLE), ([, variable = '']) => variable);
}

/** Returns the address of a server over HTTP, with its variables replaced; undefined for a program. */
export function getAddress(
  name: string,
  settings: ServerSettings,
  env: Readonly<Record<string, string | undefined>>,
): string | undefined {
  const expanded = expandVariables(name, settings, env);
  return isProgram(expanded) ? undefined : expanded.url;
}

/**
 * Describes a server for the person who allows it to be started, line by line, without values of variables and headers,
 * and without the secrets in its arguments or address.
 */
export function describeServer(settings: ServerSettings): readonly string[] {
  return [...describeAccess(settings), ...(settings.sampling === true ? ['  and may ask your model'] : [])];
}

function describeAccess(settings: ServerSettings): readonly string[] {
  if (!isProgram(settings)) {
    const headers = Object.keys(settings.headers);
    return [
      `connects to ${hideLiterals(settings.url, findLiteralSecrets(settings))}`,
      ...(headers.length === 0 ? [] : [`  with the headers ${headers.join(', ')}`]),
      ...(settings.oauth?.clientSecret === undefined
        ? []
        : [`  with a client secret for ${settings.oauth.issuer ?? 'its login'}`]),
    ];
  }
  const { command, args, env, cwd } = settings;
  const variables = Object.keys(env);
  const secrets = findLiteralSecrets(settings);
  return [
    `starts: ${[command, ...args.map((word) => hideLiterals(word, secrets))].map(quoteArgument).join(' ')}`,
    ...(cwd === undefined ? [] : [`  in ${cwd}`]),
    ...(variables.length === 0 ? [] : [`  with the variables ${variables.join(', ')}`]),
  ];
}

/** Finds the secrets that are written in the arguments of a program, or in the address of a server over HTTP. */
export function findLiteralSecrets(settings: ServerSettings): readonly LiteralSecret[] {
  return isProgram(settings) ? findSecretsInArguments(settings.args) : findSecretsInAddress(settings.url);
}

function quoteArgument(word: string): string {
  return /^[\w@%+=:,./…-]+$/.test(word) ? word : JSON.stringify(word);
}
