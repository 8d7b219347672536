import { parseArgs } from 'node:util';
import { findOption, isOptionOf, OPTIONS, type CliOptions } from './options.ts';
import { UsageError } from './errors.ts';

export interface Arguments {
  /** Name of the command; `shell` when none was given. */
  readonly command: string;
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
  const unknown = given.find((token) => findOption(token.name) === undefined);
  if (unknown !== undefined) {
    const candidates = Object.keys(OPTIONS).filter((option) => isOptionOf(command, option));
    const options = { unknown: { name: unknown.name, candidates, prefix: '--' }, command };
    throw new UsageError(`no option ${unknown.rawName}.`, options);
  }
  if (name !== undefined && !commands.includes(name)) {
    if (!/\s/.test(name)) throw new UsageError(`no command '${name}'.`, { unknown: { name, candidates: commands } });
    throw new UsageError(`no command '${name}'. To ask the model: bae ask ${JSON.stringify(name)}`);
  }
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

/** Gives an option that stands alone its value, because the tokenizer would use the next word as its value. */
function addLoneValue(word: string, place: number, argv: readonly string[]): readonly string[] {
  const { alone } = findOption(word.replace(/^--/, '')) ?? {};
  if (alone === undefined || !word.startsWith('--') || argv.indexOf('--') !== -1) return [word];
  return alone.unless.test(argv[place + 1] ?? '') ? [word] : [`${word}=${alone.value}`];
}

function readValue(token: OptionToken, command: string): string | number | boolean {
  const { name, rawName, value, inlineValue } = token;
  const spec = findOption(name)!;
  if (!isOptionOf(command, name)) {
    const takers = spec.commands?.map((taker) => (taker === 'shell' ? 'bae' : `bae ${taker}`)).join(' and ');
    const here = command === 'shell' ? 'the shell' : `bae ${command}`;
    throw new UsageError(`${here} takes no ${rawName}; it belongs to ${takers}.`, { command });
  }
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
  if (spec.decimal === true) {
    const decimal = /^\d+(?:\.\d+)?$/.test(value) ? Number(value) : 0;
    if (decimal > 0) return decimal;
    throw new UsageError(`${rawName}: expected a number above 0; got '${value}'.`, { command });
  }
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
