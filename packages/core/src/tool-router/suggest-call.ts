import { asModelText } from '../protocol/model-text.ts';
import type { ToolCall } from '../protocol/tool-call.ts';
import type { ToolDefinition, ToolSpec } from '../protocol/tool-definition.ts';
import { parse } from '../tag-parser/parse.ts';
import { splitParameters, toCodeName } from '../tool-spec/declaration.ts';
import { formatCall } from '../tool-spec/example-tag.ts';
import { bindArguments, readSentValues } from './bind-arguments.ts';
import { PLACEHOLDER } from './repair-value.ts';
import { splitArgument } from './split-argument.ts';

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
export function formatCodePath(dotted: string): string {
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
  const hasJson = content === undefined && call.body !== undefined;
  const fields = hasJson ? parseFields(call.body) : {};
  if (fields === undefined) return false;
  const { argument, keywords, misspelt, unquoted } = splitArgument(spec, call, new Set(Object.keys(fields)));
  if (misspelt.size > 0 || unquoted !== undefined) return false;
  const first = spec.params.find((param) => param !== content);
  const declared = new Set(spec.params.map(({ name }) => name));
  const others = [...values.keys()].filter((name) => !declared.has(name)).map((name) => ({ name }));
  return [...spec.params, ...others].every((param) => {
    const wanted = values.get(param.name);
    const keyword = keywords.get(param.name) ?? fields[param.name];
    const read = param === content ? call.body : param === first ? (keyword ?? (argument || undefined)) : keyword;
    return (read === undefined) === (wanted === undefined) && toComparable(read) === toComparable(wanted);
  });
}

/** Parses the fields of a body; undefined if it is not a JSON object. */
function parseFields(body: string): Readonly<Record<string, unknown>> | undefined {
  try {
    const fields: unknown = JSON.parse(body);
    return typeof fields === 'object' && fields !== null ? (fields as Record<string, unknown>) : undefined;
  } catch {
    return undefined;
  }
}

function toComparable(value: unknown): string {
  if (value === undefined) return '';
  return Array.isArray(value) ? value.join(', ') : typeof value === 'string' ? value : JSON.stringify(value);
}
