import { parseArgs } from 'node:util';
import { findOption, OPTIONS, isOptionOf, type OptionSpec } from './options.ts';
import { UsageError } from './errors.ts';

/** The values of the options that were given; switches that were not are false. */
export interface CliOptions {
  readonly cwd?: string;
  readonly model?: string;
  readonly baseUrl?: string;
  readonly config?: string;
  readonly cap?: number;
  /** Batches of calls in a turn. */
  readonly max?: number;
  readonly format?: 'markdown' | 'code' | 'plain';
  /** The session to go on with: `last`, or the beginning of an id. */
  readonly resume?: string;
  /** Where sessions are kept. */
  readonly db?: string;
  /** The beginning of the id of a session. */
  readonly session?: string;
  /** Folder of a new package. */
  readonly dir?: string;
  readonly javascript: boolean;
  readonly noDecorators: boolean;
  readonly link: boolean;
  readonly noLink: boolean;
  readonly list: boolean;
  readonly json: boolean;
  readonly noColor: boolean;
  readonly yes: boolean;
  readonly verbose: boolean;
  readonly debug: boolean;
  readonly help: boolean;
  readonly version: boolean;
}

export interface Arguments {
  /** Name of the command; `shell` when none was given. */
  readonly command: string;
  /** What follows the command and is no option. */
  readonly positionals: readonly string[];
  readonly options: CliOptions;
}

type Token = NonNullable<ReturnType<typeof tokenize>>[number];
type OptionToken = Extract<Token, { kind: 'option' }>;

/**
 * Takes a command line apart. Options may stand anywhere; after `--` there are none.
 *
 * @param commands names of the commands there are
 * @throws UsageError for an unknown command or option, and for a value that does not fit
 */
export function parseArguments(argv: readonly string[], commands: readonly string[]): Arguments {
  const tokens = tokenize(argv.flatMap(addLoneValue));
  const given = tokens.filter((token) => token.kind === 'option');
  const [name, ...positionals] = tokens.flatMap((token) => (token.kind === 'positional' ? [token.value] : []));
  const command = name ?? 'shell';
  for (const token of given) if (findOption(token.name) === undefined) throw createOptionError(token, command);
  if (name !== undefined && !commands.includes(name)) throw createCommandError(name, commands);
  const values = new Map(given.map((token) => [token.name, readValue(token, command)]));
  return { command, positionals, options: collectOptions(values) };
}

function tokenize(argv: readonly string[]) {
  const options = Object.fromEntries(
    Object.entries(OPTIONS).map(([name, { value, short }]) => {
      const type = value === undefined ? ('boolean' as const) : ('string' as const);
      return [name, short === undefined ? { type } : { type, short }];
    }),
  );
  return parseArgs({ args: [...argv], options, allowPositionals: true, strict: false, tokens: true }).tokens;
}

/** An option that may stand alone gets its value here, because the tokenizer would take the next word for it. */
function addLoneValue(word: string, place: number, argv: readonly string[]): readonly string[] {
  const { alone } = findOption(word.replace(/^--/, '')) ?? {};
  if (alone === undefined || !word.startsWith('--') || argv.indexOf('--') !== -1) return [word];
  return alone.unless.test(argv[place + 1] ?? '') ? [word] : [`${word}=${alone.value}`];
}

function readValue(token: OptionToken, command: string): string | number | boolean {
  const { name, rawName, value, inlineValue } = token;
  const spec = findOption(name)!;
  if (!isOptionOf(command, name)) throw createPlacementError(rawName, command, spec);
  if (spec.value === undefined) {
    if (value !== undefined) throw new UsageError(`${rawName} takes no value; got '${value}'.`, { command });
    return true;
  }
  if (value === undefined || value === '' || (!inlineValue && /^--?[a-z]/.test(value))) {
    const got = value === undefined || value === '' ? '' : `; got the option ${value}`;
    throw new UsageError(`${rawName} needs a value: ${rawName} ${spec.value}${got}.`, { command });
  }
  return checkValue({ rawName, value, command }, spec);
}

function checkValue(
  { rawName, value, command }: { readonly rawName: string; readonly value: string; readonly command: string },
  spec: OptionSpec,
): string | number {
  if (spec.oneOf !== undefined && !spec.oneOf.includes(value)) {
    throw new UsageError(`${rawName}: expected ${spec.oneOf.join(', ')}; got '${value}'.`, { command });
  }
  if (spec.atLeast === undefined) return value;
  const number = /^\d+$/.test(value) ? Number(value) : Number.NaN;
  if (Number.isSafeInteger(number) && number >= spec.atLeast) return number;
  throw new UsageError(`${rawName}: expected a whole number of at least ${spec.atLeast}; got '${value}'.`, { command });
}

function collectOptions(values: ReadonlyMap<string, string | number | boolean>): CliOptions {
  const switches = Object.keys(OPTIONS).filter((name) => OPTIONS[name]?.value === undefined);
  const all = [...switches.map((name) => [name, false] as const), ...values];
  return Object.fromEntries(all.map(([name, value]) => [toCamelCase(name), value])) as unknown as CliOptions;
}

function toCamelCase(name: string): string {
  return name.replaceAll(/-(.)/g, (_, letter: string) => letter.toUpperCase());
}

function createOptionError({ name, rawName }: OptionToken, command: string): UsageError {
  const candidates = Object.keys(OPTIONS).filter((option) => isOptionOf(command, option));
  return new UsageError(`no option ${rawName}.`, { unknown: { name, candidates, prefix: '--' }, command });
}

function createPlacementError(rawName: string, command: string, { commands = [] }: OptionSpec): UsageError {
  const takers = commands.map((taker) => (taker === 'shell' ? 'bae' : `bae ${taker}`)).join(' and ');
  const here = command === 'shell' ? 'the shell' : `bae ${command}`;
  return new UsageError(`${here} takes no ${rawName}; it belongs to ${takers}.`, { command });
}

function createCommandError(name: string, commands: readonly string[]): UsageError {
  if (/\s/.test(name)) return new UsageError(`no command '${name}'. To ask the model: bae ask ${JSON.stringify(name)}`);
  return new UsageError(`no command '${name}'.`, { unknown: { name, candidates: commands } });
}
