import { parseArgs } from 'node:util';
import { findOption, isOptionOf, OPTIONS, type CliOptions, type OptionSpec } from './options.ts';
import { UsageError } from './errors.ts';

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
 * Parses a command line. Options may stand anywhere; after `--` there are none.
 *
 * @throws UsageError for an unknown command or option, and for an invalid value
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
  const { atLeast, oneOf } = spec;
  const number = /^\d+$/.test(value) ? Number(value) : Number.NaN;
  if (oneOf !== undefined && !oneOf.includes(value))
    throw new UsageError(`${rawName}: expected ${oneOf.join(', ')}; got '${value}'.`, { command });
  if (atLeast === undefined) return value;
  if (Number.isSafeInteger(number) && number >= atLeast) return number;
  throw new UsageError(`${rawName}: expected a whole number of at least ${atLeast}; got '${value}'.`, { command });
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
