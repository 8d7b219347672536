import type { Callable, CodeCall, ToolSpec } from './callable.ts';

type Named = Record<string, unknown>;
/** Arguments and their positions, which are not all there. */
type Given = readonly (readonly [index: number, value: unknown])[];

/** Longest call that is quoted, in characters. */
const LONGEST_QUOTE = 80;
/** Arguments of one call, by position or by name: each is looked for among the parameters of its tool. */
const MOST_ARGUMENTS = 1000;

/**
 * The call that code has made.
 *
 * @param args JSON object of the arguments by position
 */
export function callOf(callable: Callable, args: string): CodeCall {
  const given = withinMost(positions(args), (count) => `${count} arguments`);
  const tag = quoted(callable, args);
  if (callable.kind === 'move') return { verb: 'go', arg: callable.target, ...movedWith(given), line: 1, tag };
  const { spec, space, from } = callable;
  const where = { ...(space !== undefined && { space }), ...(from !== undefined && { from }) };
  return { verb: spec.name, ...sent(spec, namedArguments(spec, given)), ...where, line: 1, tag };
}

/** Going somewhere takes no arguments; the tool for it says so. */
function movedWith(given: Given): { readonly kwargs?: Named } {
  return given.length === 0 ? {} : { kwargs: Object.fromEntries(given.map(([index, value]) => [nth(index), value])) };
}

/** Arguments by name: in the order of the parameters, and those of an object at the end by its keys. */
function namedArguments(spec: ToolSpec, given: Given): Map<string, unknown> {
  const last = given.at(-1);
  const hasFields = last !== undefined && isObject(last[1]) && !isData(last[1], spec.params, last[0]);
  const params = inOrder(spec.params, hasFields ? last[0] : given.length);
  const named = new Map<string, unknown>();
  for (const [index, value] of given) {
    if (hasFields && index === last[0] && isObject(value)) {
      const entries = withinMost(Object.entries(value), (count) => `an object of ${count} arguments`);
      for (const [name, one] of entries) named.set(named.has(name) ? `${name} (twice)` : name, one);
    } else named.set(params[index]?.name ?? nth(index), value);
  }
  return named;
}

/**
 * The parameters in the order of so many arguments. A lone one behind those that have to be given is the body, as it is
 * what stands between two tags: `edit("a.ts:3", "text")`, but `edit("a.ts", "old", "new")`.
 */
function inOrder(params: ToolSpec['params'], count: number): ToolSpec['params'] {
  const needed = params[0] !== undefined && 'default' in params[0] ? 1 : params.filter(isNeeded).length;
  const body = params.findIndex((param) => param.body === true);
  if (count !== needed + 1 || body < needed) return params;
  return params.toSpliced(body, 1).toSpliced(needed, 0, ...params.slice(body, body + 1));
}

function isNeeded(param: ToolSpec['params'][number]): boolean {
  return !('default' in param);
}

/** True for an object that is a value itself: its parameter takes data, and has to be given or is not named in it. */
function isData(value: Named, params: ToolSpec['params'], index: number): boolean {
  const param = params[index];
  if (param?.type !== 'json') return false;
  return !('default' in param) || !params.some(({ name }) => Object.hasOwn(value, name));
}

/** Text for the first parameter and for the body has its own place in a call, as in a tag. */
function sent({ params }: ToolSpec, named: Map<string, unknown>): Pick<CodeCall, 'arg' | 'body' | 'block' | 'kwargs'> {
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

/** Text that nobody can take for nothing, for keywords, or for something to trim. */
function isPlainText(value: unknown): value is string {
  return typeof value === 'string' && value !== '' && !/[=\n]/.test(value) && value.trim() === value;
}

/** @throws RangeError for more arguments than any tool has */
function withinMost<T>(all: readonly T[], wording: (count: number) => string): readonly T[] {
  if (all.length <= MOST_ARGUMENTS) return all;
  throw new RangeError(
    `${wording(all.length)}: a call takes at most ${MOST_ARGUMENTS}. Pass data as one list, or make more calls`,
  );
}

function isObject(value: unknown): value is Named {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function positions(args: string): Given {
  return Object.entries(JSON.parse(args) as Named).map(([index, value]) => [Number(index), value] as const);
}

function nth(index: number): string {
  return `argument ${index + 1}`;
}

/** The call as a person would quote it: `source.read("core.router")`. */
export function quoted({ shown }: Callable, args: string): string {
  const points = Array.from(`${shown}(${written(args)})`.slice(0, 2 * LONGEST_QUOTE));
  return points.length <= LONGEST_QUOTE ? points.join('') : `${points.slice(0, LONGEST_QUOTE - 2).join('')}…)`;
}

/** Of long arguments only the beginning is shown, which can be had without reading all of them. */
function written(args: string): string {
  if (args.length > 10 * LONGEST_QUOTE) {
    const colon = args.indexOf(':');
    return leftOut(Number(args.slice(2, colon - 1))) + args.slice(colon + 1);
  }
  const given = positions(args);
  const texts = given.map(([index, value], place) => {
    const before = place === 0 ? -1 : given[place - 1]![0];
    return leftOut(index - before - 1) + JSON.stringify(value);
  });
  return texts.join(', ');
}

/** Arguments that were left out before another one. More than a quote has room for are not written. */
function leftOut(count: number): string {
  return 'undefined, '.repeat(Math.min(count, LONGEST_QUOTE));
}
