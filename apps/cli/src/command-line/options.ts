import { parseArgs } from 'node:util';
import { UsageError } from './errors.ts';

/** Rules for parsing, checking and explaining an option. */
export interface OptionSpec {
  /** Name of its value in the help; an option without it is a switch. */
  readonly value?: string;
  readonly doc: string;
  readonly short?: string;
  /** Minimum value of a whole number. */
  readonly atLeast?: number;
  /** True for a number above 0 that may have decimals. */
  readonly decimal?: true;
  /** Default value of the option without a value, and the pattern of a following word that is its value instead. */
  readonly alone?: { readonly value: string; readonly unless: RegExp };
  /** Allowed values. Default: any. */
  readonly oneOf?: readonly string[];
  /** True for an option that may be given several times. */
  readonly many?: true;
  /** Commands that accept it; `shell` is bae without a command. Default: all. */
  readonly commands?: readonly string[];
  /** Commands that refuse it with a reason, so that their help does not list it. */
  readonly refusedBy?: readonly string[];
}

const TABLE = {
  max: { value: 'N', atLeast: 0, doc: 'maximum rounds of tool calls; 0 for no limit (25)', commands: ['ask', 'shell'] },
  'max-tokens': {
    value: 'N',
    atLeast: 1,
    doc: 'maximum tokens of a turn, in and out; with token create, in total',
    commands: ['ask', 'shell', 'serve'],
  },
  'max-cost': {
    value: 'USD',
    decimal: true,
    doc: 'maximum dollars of a turn; with token create, in total; needs prices in the configuration',
    commands: ['ask', 'shell', 'serve'],
  },
  'max-minutes': {
    value: 'N',
    decimal: true,
    doc: 'maximum minutes of a turn; with token create, in total',
    commands: ['ask', 'shell', 'serve'],
  },
  'first-token': {
    value: 'S',
    atLeast: 1,
    doc: 'maximum wait for the model to begin, in seconds (600)',
    commands: ['ask', 'shell'],
  },
  schema: { value: 'FILE', doc: 'JSON Schema that the final answer, in JSON, must match', commands: ['ask'] },
  usage: { doc: 'show tokens and costs by turn, tool and place at the end', commands: ['ask', 'shell'] },
  verbose: { doc: 'show everything that happens, unshortened', commands: ['ask', 'shell'] },
  debug: { doc: 'the same as --verbose, and stacks of unexpected errors' },
  format: {
    value: 'KIND',
    oneOf: ['markdown', 'plain', 'code', 'json', 'log', 'diff', 'csv', 'html', 'rows'],
    doc: 'format of the text (recognised)',
    commands: ['prune'],
  },
  resume: {
    value: '[ID]',
    alone: { value: 'last', unless: /^(?:last|[0-9a-f]{4}[0-9a-f-]*)$/ },
    doc: 'continue a session: the start of an id from bae sessions (the last one of this folder)',
    commands: ['ask', 'shell'],
  },
  continue: { short: 'c', doc: 'continue the last session of this folder: --resume last', commands: ['ask', 'shell'] },
  db: {
    value: 'FILE',
    doc: 'where sessions are kept (.bae/bae.db of the folder)',
    commands: ['ask', 'shell', 'sessions', 'approvals', 'audit', 'memory'],
  },
  port: { value: 'N', atLeast: 0, doc: 'port to listen at; 0 for any free one (4310)', commands: ['serve'] },
  address: {
    value: 'IP',
    doc: 'address to listen at (127.0.0.1, which only this machine reaches)',
    commands: ['serve'],
  },
  hosts: {
    value: 'NAMES',
    doc: 'host names that clients use for the server, separated by commas',
    commands: ['serve'],
  },
  origins: { value: 'URLS', doc: 'origins of web pages that may use the server (none)', commands: ['serve'] },
  folders: {
    value: 'LIST',
    doc: 'folders that sessions may work in: NAME=PATH,… (here=the folder); with token create, those that the token may use: NAMES, and the beginnings of repository addresses',
    commands: ['serve', 'worker'],
  },
  'git-hosts': {
    value: 'NAMES',
    doc: 'hosts whose repositories sessions may work on (none)',
    commands: ['serve', 'worker'],
  },
  'git-config': {
    value: 'FILE',
    doc: 'settings for git, such as a credential helper; git reads no others',
    commands: ['serve', 'worker'],
  },
  data: {
    value: 'DIR',
    doc: 'where the server keeps its data (serve, in the folder of the user)',
    commands: ['serve', 'worker', 'memory'],
  },
  sessions: {
    value: 'N',
    atLeast: 1,
    doc: 'number of sessions to work on at the same time (8)',
    commands: ['serve', 'worker'],
  },
  database: {
    value: 'URL',
    doc: 'PostgreSQL that servers and workers share: postgres://USER@HOST/NAME, or BAE_DATABASE (not for tasks)',
    commands: ['serve', 'worker', 'tasks'],
  },
  of: {
    value: 'NAME',
    doc: 'with --database: whose tasks, a folder of --folders or TOKEN:git:REPOSITORY',
    commands: ['tasks'],
  },
  telemetry: {
    doc: 'report to OpenTelemetry, as configured in the environment',
    commands: ['serve', 'worker'],
  },
  'capture-content': {
    doc: 'with --telemetry: prompts, responses, arguments and results too, without keys',
    commands: ['serve', 'worker'],
  },
  spaces: { value: 'NAMES', doc: 'spaces that a token may use (all)', commands: ['serve'] },
  may: { value: 'RIGHTS', doc: 'what a token may do: read, write, external, approve (read)', commands: ['serve'] },
  'sessions-of': {
    value: 'NAMES',
    doc: 'other tokens whose sessions a token may see and reply in',
    commands: ['serve'],
  },
  days: { value: 'N', atLeast: 1, doc: 'days until a token expires (90)', commands: ['serve'] },
  'max-calls': { value: 'N', atLeast: 1, doc: 'total number of calls that a token may make', commands: ['serve'] },
  http: {
    value: '[PORT]',
    atLeast: 0,
    alone: { value: '7411', unless: /^\d+$/ },
    doc: 'mcp serve: over HTTP to programs of this machine that have a token, at this port (7411)',
    commands: ['mcp'],
  },
  env: {
    value: 'NAME[=VALUE]',
    many: true,
    doc: 'mcp add: a variable for the program; without a value that of your environment, which stays out of the file',
    commands: ['mcp'],
  },
  header: {
    value: "'NAME: VALUE'",
    many: true,
    doc: 'mcp add: a header for the address; ${NAME} in it is a variable of your environment',
    commands: ['mcp'],
  },
  sampling: { doc: 'mcp add: the server may ask your model, each time with your consent', commands: ['mcp'] },
  transport: {
    value: 'KIND',
    oneOf: ['http', 'sse'],
    doc: 'mcp add: how the address is spoken to (http)',
    commands: ['mcp'],
  },
  'start-in': {
    value: 'DIR',
    doc: 'mcp add: folder to start the program in (the one that bae works in)',
    commands: ['mcp'],
  },
  timeout: { value: 'MS', atLeast: 1, doc: 'mcp add: longest call, in milliseconds', commands: ['mcp'] },
  'start-timeout': {
    value: 'MS',
    atLeast: 1,
    doc: 'mcp add: longest wait until it is ready, in milliseconds (60000)',
    commands: ['mcp'],
  },
  'client-id': { value: 'ID', doc: 'mcp add: client registered at the address for the login', commands: ['mcp'] },
  'client-secret': { value: 'SECRET', doc: 'mcp add: secret of that client: ${NAME}', commands: ['mcp'] },
  scope: { value: 'NAME', many: true, doc: 'mcp add: what the login asks for', commands: ['mcp'] },
  'callback-port': {
    value: 'N',
    atLeast: 1,
    doc: 'mcp add: port that the browser comes back to after the login (any free one)',
    commands: ['mcp'],
  },
  disabled: { doc: 'mcp add: write it down, and do not use it', commands: ['mcp'] },
  changes: { doc: 'show each change as the user saw it', commands: ['audit'] },
  list: { doc: 'only show what can be undone, or the decisions about trust', commands: ['undo', 'trust'] },
  session: { value: 'ID', doc: 'whose changes: the start of an id from --list (the last one)', commands: ['undo'] },
  javascript: { doc: 'create it in JavaScript, which is not compiled', commands: ['create'] },
  'no-decorators': { doc: 'create it from functions instead of a class with decorators', commands: ['create'] },
  dir: { value: 'DIR', doc: 'folder to create (named after the package)', commands: ['create'] },
  link: {
    doc: 'link the packages of this copy of bae (the default if it is not from a registry)',
    commands: ['create'],
  },
  'no-link': { doc: 'get them from the registry', commands: ['create'] },
  cwd: { value: 'DIR', doc: 'folder to work in (the current one)' },
  model: { value: 'NAME', doc: 'provider/name, for example anthropic/claude-sonnet-5-5 or ollama/NAME' },
  'base-url': { value: 'URL', doc: 'address of the API, with --model openai-compatible/NAME' },
  protocol: {
    value: 'KIND',
    oneOf: ['auto', 'tags', 'tools'],
    doc: 'how the model calls tools: tags in its text, or function calls (auto, which is tags)',
    commands: ['ask', 'shell'],
  },
  config: { value: 'FILE', doc: 'settings: .ts, .js or .json (bae.config.* of the folder)' },
  'allow-commands': {
    doc: 'open terminal(): commands on this machine, each with consent',
    commands: ['ask', 'shell', 'do'],
  },
  cap: { value: 'N', atLeast: 50, doc: 'maximum size of a tool result, in tokens (500)' },
  json: { doc: 'print JSON for programs' },
  'no-color': { doc: 'no colours; NO_COLOR=1 does the same' },
  yes: {
    short: 'y',
    doc: 'approve every call that writes, except what the configuration denies',
    refusedBy: ['serve', 'worker'],
  },
  help: { short: 'h', doc: 'show help, also for a command' },
  version: { short: 'v', doc: 'show the version' },
} as const satisfies Readonly<Record<string, OptionSpec>>;

/** Options of bae, in the order of the help. */
export const OPTIONS: Readonly<Record<string, OptionSpec>> = TABLE;

type Table = typeof TABLE;
type ValueOption = { [Name in keyof Table]: Table[Name] extends { value: string } ? Name : never }[keyof Table];
type CamelCase<Name extends string> = Name extends `${infer Head}-${infer Tail}` ? `${Head}${Capitalize<Tail>}` : Name;
type Value<Spec> = Spec extends { atLeast: number } | { decimal: true }
  ? number
  : Spec extends { many: true }
    ? readonly string[]
    : Spec extends { oneOf: readonly (infer One)[] }
      ? One
      : string;

/** Values of the given options, by names in camel case; switches that were not given are false. */
export type CliOptions = { readonly [Name in Exclude<keyof Table, ValueOption> as CamelCase<Name>]: boolean } & {
  readonly [Name in ValueOption as CamelCase<Name>]?: Value<Table[Name]>;
};

/** Finds an option by its long name, without the dashes. */
function findOption(name: string): OptionSpec | undefined {
  return Object.hasOwn(OPTIONS, name) ? OPTIONS[name] : undefined;
}

export function isOptionOf(command: string, option: string): boolean {
  const spec = findOption(option);
  return spec !== undefined && (spec.commands?.includes(command) ?? true);
}

export interface Arguments {
  /** Name of the command; `shell` if none was given. */
  readonly command: string;
  readonly positionals: readonly string[];
  readonly options: CliOptions;
}

type Token = NonNullable<ReturnType<typeof tokenize>>[number];
/** Names that other programs have for what a command does. */
const OTHER_NAMES: Readonly<Record<string, readonly string[]>> = {
  doctor: ['check', 'diagnose', 'status', 'info', 'config'],
  do: ['run', 'exec', 'call'],
  create: ['new', 'init'],
  sessions: ['history', 'resume'],
  tasks: ['todo', 'todos'],
  undo: ['revert'],
  ask: ['chat', 'prompt'],
};

type GivenValue = string | number | boolean | readonly string[];
type OptionToken = Extract<Token, { kind: 'option' }>;

/**
 * Parses a command line. Options may appear anywhere before `--`, and before the command of `bae mcp add NAME COMMAND`.
 *
 * @throws UsageError for an unknown command or option, and for an invalid value
 */
export function parseArguments(argv: readonly string[], commands: readonly string[]): Arguments {
  const tokens = tokenize(separateCommand(argv.flatMap(addLoneValue)));
  const given = tokens.filter((token) => token.kind === 'option');
  const [name, ...positionals] = tokens.flatMap((token) => (token.kind === 'positional' ? [token.value] : []));
  const command = name ?? 'shell';
  const unknown = given.find((token) => findOption(token.name) === undefined);
  if (unknown !== undefined) {
    const candidates = Object.keys(OPTIONS).filter((option) => isOptionOf(command, option));
    const options = { unknown: { name: unknown.name, candidates, prefix: '--' }, command };
    throw new UsageError(`no option ${unknown.rawName}.`, options);
  }
  if (name !== undefined && !commands.includes(name)) {
    if (!/\s/.test(name)) {
      const meant = commands.find((other) => OTHER_NAMES[other]?.includes(name));
      throw new UsageError(`no command '${name}'.`, { unknown: { name, candidates: commands, meant } });
    }
    throw new UsageError(`no command '${name}'. To ask the model: bae ask ${JSON.stringify(name)}`);
  }
  const values = new Map<string, GivenValue>();
  for (const token of given) {
    const value = readValue(token, command);
    const before = values.get(token.name) ?? [];
    values.set(token.name, findOption(token.name)!.many === true ? [before, String(value)].flat().map(String) : value);
  }
  return { command, positionals, options: collectOptions(values) };
}

function tokenize(argv: readonly string[]) {
  const entries = Object.entries(OPTIONS).map(([name, { value, short }]) => {
    const type = value === undefined ? ('boolean' as const) : ('string' as const);
    return [name, short === undefined ? { type } : { type, short }] as const;
  });
  const options = Object.fromEntries(entries);
  return parseArgs({ args: [...argv], options, allowPositionals: true, strict: false, tokens: true }).tokens;
}

/** Puts `--` before the command of `bae mcp add NAME COMMAND…`: everything from there on belongs to that command. */
function separateCommand(argv: readonly string[]): readonly string[] {
  const tokens = tokenize(argv);
  const end = tokens.find(({ kind }) => kind === 'option-terminator')?.index ?? argv.length;
  const words = tokens.filter((token) => token.kind === 'positional').filter(({ index }) => index < end);
  const [command, action, , program] = words;
  if (command?.value !== 'mcp' || action?.value !== 'add' || program === undefined) return argv;
  return isAddress(program.value) ? argv : argv.toSpliced(program.index, 0, '--');
}

/** Tests whether a word is an address such as https://docs.example/mcp. */
export function isAddress(word: string): boolean {
  return /^\w+:\/\//.test(word);
}

/** Adds the default value to an option without a value, because the tokenizer would use the next word. */
function addLoneValue(word: string, place: number, argv: readonly string[]): readonly string[] {
  const { alone } = findOption(word.replace(/^--/, '')) ?? {};
  if (alone === undefined || !word.startsWith('--') || argv.indexOf('--') !== -1) return [word];
  return alone.unless.test(argv[place + 1] ?? '') ? [word] : [`${word}=${alone.value}`];
}

function readValue({ name, rawName, value, inlineValue }: OptionToken, command: string): string | number | boolean {
  const { commands = [], value: placeholder, atLeast, decimal, oneOf } = findOption(name)!;
  const fail = (problem: string): never => {
    throw new UsageError(problem, { command });
  };
  if (!isOptionOf(command, name)) {
    const takers = commands.map((taker) => (taker === 'shell' ? 'bae' : `bae ${taker}`)).join(' and ');
    const here = command === 'shell' ? 'the shell' : `bae ${command}`;
    return fail(`${here} takes no ${rawName}; it belongs to ${takers}.`);
  }
  if (placeholder === undefined) return value === undefined || fail(`${rawName} takes no value; got '${value}'.`);
  if (value === undefined || value === '') return fail(`${rawName} needs a value: ${rawName} ${placeholder}.`);
  if (!inlineValue && /^--?[a-z]/.test(value))
    return fail(`${rawName} needs a value: ${rawName} ${placeholder}; got the option ${value}.`);
  if (oneOf !== undefined && !oneOf.includes(value))
    return fail(`${rawName}: expected ${oneOf.join(', ')}; got '${value}'.`);
  if (decimal === true) {
    const amount = /^\d+(?:\.\d+)?$/.test(value) ? Number(value) : 0;
    return amount > 0 ? amount : fail(`${rawName}: expected a number above 0; got '${value}'.`);
  }
  if (atLeast === undefined) return value;
  const number = /^\d+$/.test(value) ? Number(value) : Number.NaN;
  if (Number.isSafeInteger(number) && number >= atLeast) return number;
  return fail(`${rawName}: expected a whole number of at least ${atLeast}; got '${value}'.`);
}

function collectOptions(values: ReadonlyMap<string, GivenValue>): CliOptions {
  const switches = Object.keys(OPTIONS).filter((name) => OPTIONS[name]?.value === undefined);
  const all = [...switches.map((name) => [name, false] as const), ...values];
  return Object.fromEntries(all.map(([name, value]) => [toCamelCase(name), value])) as unknown as CliOptions;
}

function toCamelCase(name: string): string {
  return name.replaceAll(/-(.)/g, (_, letter: string) => letter.toUpperCase());
}
