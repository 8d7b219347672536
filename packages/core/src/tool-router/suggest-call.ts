import { asModelText } from '../protocol/model.ts';
import type { ToolCall } from '../protocol/tool-call.ts';
import type { ToolDefinition, ToolSpec } from '../protocol/tool-definition.ts';
import { findVerb } from '../protocol/verbs.ts';
import { unicodePattern } from '../tool-spec/plain-text.ts';
import { parseJsonObject } from '../tag-parser/foreign/json-calls.ts';
import { parse } from '../tag-parser/parse.ts';
import { splitParameters, toCodeName } from '../tool-spec/declaration.ts';
import { formatCall } from '../tool-spec/example-tag.ts';
import { bindArguments, readSentValues } from './bind-arguments.ts';
import { PLACEHOLDER } from './check-arguments.ts';
import { getPrimaryParam, splitArgument } from './split-argument.ts';

interface RefusedCall {
  readonly spec: ToolSpec;
  readonly call: ToolCall;
  /** The values to keep, by parameter. */
  readonly known: Readonly<Record<string, unknown>>;
  /** Parameters that still need a value. */
  readonly unfilled: readonly string[];
  readonly fromCode: boolean;
  /** Values of the right shape for parameters that take JSON. */
  readonly shapes?: ReadonlyMap<string, unknown>;
  /** Length above which text is replaced by the placeholder, in characters. Default: 200. */
  readonly longest?: number;
}

const LONGEST_VALUE = 200;

/**
 * Creates the call that was probably meant, in the original notation (a tag, JSON, code), with the valid values, and
 * `…` for missing ones. A parameter whose example is empty is left out.
 */
export function suggestCall({
  spec,
  call,
  known,
  unfilled,
  fromCode,
  shapes,
  longest = LONGEST_VALUE,
}: RefusedCall): string {
  const values = new Map<string, unknown>();
  for (const { name, example } of spec.params) {
    // If the example is empty, as for a list of everything, the value can be left out.
    const missing = example === '' ? undefined : (shapes?.get(name) ?? PLACEHOLDER);
    const value = unfilled.includes(name) ? missing : Object.hasOwn(known, name) ? known[name] : undefined;
    if (value === undefined) continue;
    values.set(name, typeof value === 'string' && value.length > longest ? PLACEHOLDER : value);
  }
  if (spec.rest === true || spec.open === true) {
    const declared = new Set(spec.params.map(({ name }) => name));
    for (const [name, value] of Object.entries(known)) if (!declared.has(name)) values.set(name, value);
  }
  if (fromCode) return formatCodeCall(getCodePath(call), spec, values);
  if (call.form !== 'json') return formatTagCall(spec, values);
  const name = call.space === undefined ? spec.name : `${call.space}.${spec.name}`;
  return JSON.stringify({ name, arguments: Object.fromEntries(values) });
}

/** Notation of a call. */
export type CallForm = 'tag' | 'json' | 'code';

/** Writes a call in a notation, with the sent values that are valid. @param longest see `RefusedCall` */
export async function rewriteCall(
  call: ToolCall,
  definition: ToolDefinition,
  { form, longest }: { readonly form: CallForm } & Pick<RefusedCall, 'longest'>,
): Promise<string> {
  const { form: _, ...rest } = call;
  const path = call.space === undefined ? definition.name : `${call.space}.${definition.name}`;
  const written = { ...rest, tag: formatCodePath(path), ...(form === 'json' && { form }) };
  const bound = await bindArguments(definition, call);
  const { known, unfilled, shapes } = bound.ok
    ? { known: await readSentValues(definition, call), unfilled: [], shapes: new Map<string, unknown>() }
    : bound;
  const values = { known, unfilled, shapes, ...(longest !== undefined && { longest }) };
  return suggestCall({ spec: definition.spec, call: written, ...values, fromCode: form === 'code' });
}

/** Formats a dotted name of a place or tool for code. */
function formatCodePath(dotted: string): string {
  return dotted.split('.').map(toCodeName).join('.');
}

/** Returns the name of the tool in code: as it was written, or with its place if the session has moved since. */
function getCodePath({ tag, space, verb }: ToolCall): string {
  const [written = verb] = tag.split('(', 1);
  return space === undefined || written.startsWith(space) ? written : `${space}.${verb}`;
}

/** Formats a call in code: `github.create_issue("owner/repo", { title: "…" })`. */
function formatCodeCall(path: string, { params }: ToolSpec, values: ReadonlyMap<string, unknown>): string {
  const { byPosition } = splitParameters(params);
  const count = byPosition.findIndex(({ name }) => !values.has(name));
  const leading = count === -1 ? byPosition : byPosition.slice(0, count);
  const named = new Map(values);
  for (const { name } of leading) named.delete(name);
  const args = leading.map(({ name }) => JSON.stringify(values.get(name)));
  if (named.size > 0) args.push(JSON.stringify(Object.fromEntries(named)));
  return `${path}(${args.join(', ')})`;
}

/** Formats the shortest tag that has these values: the first parameter without its name, with it, or all as JSON. */
function formatTagCall(spec: ToolSpec, values: ReadonlyMap<string, unknown>): string {
  const forms = [formatCall(spec, values), formatCall(spec, values, true)];
  return forms.find((tag) => isReadAs(tag, spec, values)) ?? formatJsonBody(spec, values) ?? forms[0]!;
}

function formatJsonBody(spec: ToolSpec, values: ReadonlyMap<string, unknown>): string | undefined {
  if (spec.params.some(({ body }) => body === true)) return undefined;
  const [open] = formatCall(spec, new Map()).split('>');
  return `${open}>\n${JSON.stringify(Object.fromEntries(values))}\n</${open!.slice(1).replace(/:.*/, '')}>`;
}

/** Tests whether a tag is one call whose arguments are these values as text. */
function isReadAs(tag: string, spec: ToolSpec, values: ReadonlyMap<string, unknown>): boolean {
  const { calls, problems } = parse(asModelText(tag), { tools: new Set([spec.name]) });
  const [call] = calls;
  if (call === undefined || calls.length + problems.length !== 1 || call.verb !== spec.name) return false;
  const content = spec.params.find(({ body }) => body === true);
  const fields = content === undefined && call.body !== undefined ? parseJsonObject(call.body) : {};
  if (fields === undefined) return false;
  const { argument, keywords, misspelt, unquoted } = splitArgument(spec, call, new Set(Object.keys(fields)));
  if (misspelt.size > 0 || unquoted !== undefined) return false;
  const first = getPrimaryParam(spec);
  const declared = new Set(spec.params.map(({ name }) => name));
  const others = [...values.keys()].filter((name) => !declared.has(name)).map((name) => ({ name }));
  return [...spec.params, ...others].every((param) => {
    const wanted = values.get(param.name);
    const keyword = keywords.get(param.name) ?? fields[param.name];
    const read = param === content ? call.body : param === first ? (keyword ?? (argument || undefined)) : keyword;
    return (read === undefined) === (wanted === undefined) && toComparable(read) === toComparable(wanted);
  });
}

function toComparable(value: unknown): string {
  if (value === undefined) return '';
  return Array.isArray(value) ? value.join(', ') : typeof value === 'string' ? value : JSON.stringify(value);
}

interface HintScope {
  readonly form: CallForm;
  /** Finds the tool of a call; undefined if there is none. */
  readonly find: (call: ToolCall) => ToolDefinition | undefined;
}

/** Stands for all names: whether there is such a tool is seen later. */
const ANY = { has: () => true, [Symbol.iterator]: () => [][Symbol.iterator]() };
const MENTION = unicodePattern(String.raw`^[\p{L}_][\p{L}\p{N}_.-]*\(\)$`);
const TAG_NAME = unicodePattern(String.raw`^<([\p{L}\p{N}_-]+):`);

/**
 * Writes the hints of an error in the notation of the call that failed, so that each can be typed as it is. A hint that
 * is not a call stays the same.
 */
export function adaptHints(hints: readonly string[], scope: HintScope): Promise<readonly string[]> {
  const isOnlyPlace = hints.filter((hint) => MENTION().test(hint)).length === 1;
  const adapt = async (hint: string): Promise<string> => {
    // Several places are a list of names, from which one is chosen.
    if (isOnlyPlace && scope.form !== 'code' && MENTION().test(hint)) return `@${hint}`;
    return /^[<@]/.test(hint) ? adaptTag(hint, scope) : hint;
  };
  return Promise.all(hints.map(adapt));
}

async function adaptTag(hint: string, { form, find }: HintScope): Promise<string> {
  const { calls, problems, prose } = readTag(hint);
  if (problems[0]?.code === 'unclosed-body') {
    const closed = `${hint}…</${/^<([^:]+)/.exec(hint)![1]!}>`;
    return readTag(closed).problems.length > 0 ? hint : adaptTag(closed, { form, find });
  }
  const [call] = calls;
  if (form === 'tag' || call === undefined || calls.length + problems.length > 1 || prose !== '') return hint;
  if (call.verb === 'go') return form === 'code' ? `${formatCodePath(call.arg)}()` : hint;
  const definition = form === 'code' && call.verb === 'help' ? undefined : find(call);
  if (definition === undefined) return hint;
  return rewriteCall(call, definition, { form, longest: Infinity });
}

/** Reads a suggested call with a body, `<W:a.md>…</W>`; returns undefined for any other suggestion. */
export function readSuggestedBody(suggestion: string): ToolCall | undefined {
  const { calls, problems, prose } = readTag(suggestion);
  const [call] = calls;
  const isOne = calls.length === 1 && problems.length === 0 && prose === '';
  return isOne && call?.body !== undefined && call.form === undefined ? call : undefined;
}

function readTag(text: string) {
  return parse(asModelText(text), { tools: ANY, spaces: ANY });
}

/**
 * Qualifies a tag of a place's own tool for the place the call was made from: `<R:x>` becomes `<source.R:x>`.
 *
 * @param place the place as written in the call: `source`, `source.deps`
 */
export function qualifyTag(tag: string, place: string, tools: object): string {
  const written = TAG_NAME().exec(tag)?.[1];
  if (written === undefined) return tag;
  // The name of a tag is a verb, or a tool of this name with a lowercase or uppercase first letter.
  const names = [findVerb(written) ?? written, written.charAt(0).toLowerCase() + written.slice(1)];
  return names.some((name) => Object.hasOwn(tools, name)) ? `<${place}.${tag.slice(1)}` : tag;
}
