import type { RunOptions } from '@bae/core';
import type { Callee, ToolSpec } from './callee-table.ts';

/** Call made by code, in the form that the caller accepts. */
export type CodeCall = Parameters<RunOptions['dispatch']>[0];

type NamedArguments = Record<string, unknown>;
/** Arguments with their positions, some of which may be missing. */
type Arguments = readonly (readonly [index: number, value: unknown])[];

const LONGEST_QUOTE = 80;
/**
 * Maximum number of arguments of one call, by position or by name: each is looked up among the parameters of its tool.
 */
const MOST_ARGUMENTS = 1000;

/** Creates the equivalent of a tag from a call in code. @param args the arguments by position, as a JSON object */
export function createToolCall(callee: Callee, args: string): CodeCall {
  const given = checkCount(decodeArguments(args), (count) => `${count} arguments`);
  const tag = quoteCall(callee, args);
  if (callee.kind === 'move') {
    // Moves take no arguments; the tool for them reports that.
    const kwargs = Object.fromEntries(given.map(([index, value]) => [nameArgument(index), value]));
    return { verb: 'go', arg: callee.target, ...(given.length > 0 && { kwargs }), line: 1, tag };
  }
  const { spec, space, from } = callee;
  const where = { ...(space !== undefined && { space }), ...(from !== undefined && { from }) };
  return { verb: spec.name, ...placeText(spec, nameArguments(spec, given)), ...where, line: 1, tag };
}

/** Names arguments: those by position in the order of the parameters, and those in a final object by its keys. */
function nameArguments(spec: ToolSpec, given: Arguments): Map<string, unknown> {
  const last = given.at(-1);
  const hasOptions = last !== undefined && isNamedArguments(last[1]) && !isData(last[1], spec, last[0]);
  const params = orderParams(spec.params, hasOptions ? last[0] : given.length);
  const named = new Map<string, unknown>();
  for (const [index, value] of given) {
    if (hasOptions && index === last[0] && isNamedArguments(value)) {
      const entries = checkCount(Object.entries(value), (count) => `an object of ${count} arguments`);
      for (const [name, one] of entries) named.set(named.has(name) ? `${name} (twice)` : name, one);
    } else named.set(params[index]?.name ?? nameArgument(index), value);
  }
  return named;
}

/**
 * Returns the parameters in the order of the given number of arguments. A single argument after the required ones is
 * the body, like the text between two tags: `edit("a.ts:3", "text")`, but `edit("a.ts", "old", "new")`.
 */
function orderParams(params: ToolSpec['params'], count: number): ToolSpec['params'] {
  const required = params[0] !== undefined && !isRequired(params[0]) ? 1 : params.filter(isRequired).length;
  const body = params.findIndex((param) => param.body === true);
  if (count !== required + 1 || body < required) return params;
  return params.toSpliced(body, 1).toSpliced(required, 0, ...params.slice(body, body + 1));
}

function isRequired(param: ToolSpec['params'][number]): boolean {
  return !('default' in param);
}

/**
 * Returns true for an object that is itself a value, not named arguments: its parameter takes data and is required, or no
 * key of the object names a parameter.
 */
function isData(value: NamedArguments, { params, rest }: ToolSpec, index: number): boolean {
  const param = params[index];
  if (param?.type !== 'json') return false;
  return !('default' in param) || (rest !== true && !params.some(({ name }) => Object.hasOwn(value, name)));
}

/** Moves text for the first parameter and for the body to its own place in the call, as in a tag. */
function placeText(
  { params }: ToolSpec,
  named: Map<string, unknown>,
): Pick<CodeCall, 'arg' | 'body' | 'block' | 'kwargs'> {
  const primary = params.find(({ body }) => body !== true);
  const content = params.find(({ body }) => body === true);
  const arg = primary?.type === 'json' ? undefined : named.get(primary?.name ?? '');
  const body = named.get(content?.name ?? '');
  if (primary && isPlainText(arg)) named.delete(primary.name);
  if (content && typeof body === 'string') named.delete(content.name);
  return {
    arg: isPlainText(arg) ? arg : '',
    ...(typeof body === 'string' && { body, block: false }),
    ...(named.size > 0 && { kwargs: Object.fromEntries(named) }),
  };
}

/** Returns true for text that is not empty, cannot be mistaken for keywords, and needs no trimming. */
function isPlainText(value: unknown): value is string {
  return typeof value === 'string' && value !== '' && !/[=\n]/.test(value) && value.trim() === value;
}

/** @throws RangeError for more arguments than any tool has */
function checkCount<T>(all: readonly T[], describe: (count: number) => string): readonly T[] {
  if (all.length <= MOST_ARGUMENTS) return all;
  throw new RangeError(
    `${describe(all.length)}: a call takes at most ${MOST_ARGUMENTS}. Pass data as one list, or make more calls`,
  );
}

function isNamedArguments(value: unknown): value is NamedArguments {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function decodeArguments(args: string): Arguments {
  return Object.entries(JSON.parse(args) as NamedArguments).map(([index, value]) => [Number(index), value] as const);
}

function nameArgument(index: number): string {
  return `argument ${index + 1}`;
}

/** Quotes a call as a person would: `source.read("core.router")`. */
export function quoteCall({ path }: Callee, args: string): string {
  const characters = Array.from(`${path}(${formatArguments(args)})`.slice(0, 2 * LONGEST_QUOTE));
  if (characters.length <= LONGEST_QUOTE) return characters.join('');
  return `${characters.slice(0, LONGEST_QUOTE - 2).join('')}…)`;
}

/** Only the beginning of long arguments is quoted, which can be found without parsing all of them. */
function formatArguments(args: string): string {
  if (args.length > 10 * LONGEST_QUOTE) {
    const colon = args.indexOf(':');
    return formatMissing(Number(args.slice(2, colon - 1))) + args.slice(colon + 1);
  }
  let next = 0;
  const texts = decodeArguments(args).map(([index, value]) => {
    const missing = formatMissing(index - next);
    next = index + 1;
    return missing + JSON.stringify(value);
  });
  return texts.join(', ');
}

/** Formats the missing arguments before another one, as many as fit into a quote. */
function formatMissing(count: number): string {
  return 'undefined, '.repeat(Math.min(count, LONGEST_QUOTE));
}
