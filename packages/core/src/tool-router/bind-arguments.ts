import { type $ZodIssue, type $ZodObject, type $ZodRawIssue, safeParseAsync } from 'zod/v4/core';
import { ParameterError } from '../errors/call-errors.ts';
import { renderError } from '../feedback/render-error.ts';
import { findNearestName } from '../nearest-name/nearest-name.ts';
import type { ParamSpec, ToolDefinition, ToolSpec } from '../protocol/tool-definition.ts';
import { docLine } from '../tool-spec/plain-text.ts';
import { renderSignature } from '../tool-spec/signature.ts';
import { coerce } from './coerce.ts';
import { describeIssue } from './describe-issue.ts';
import { quoteName, quoteValue } from './quote-value.ts';
import { primaryParam, splitArgument, takesName, type SentArguments } from './split-argument.ts';

/** Arguments a tool can be called with, or everything that is wrong with the ones that were sent. */
type Binding =
  | { readonly ok: true; readonly params: Readonly<Record<string, unknown>> }
  | {
      readonly ok: false;
      /** `ParameterError: …`, one line a problem, then the tool's signature. */
      readonly text: string;
      readonly error: ParameterError;
      /** The values nothing is wrong with, by parameter. */
      readonly known: Readonly<Record<string, unknown>>;
    };

/**
 * Turns what was written into a tool's arguments: sorted by parameter, of the declared types, checked
 * by the tool's schema, defaults filled in.
 */
export async function bindArguments(
  { spec, params }: Pick<ToolDefinition, 'spec' | 'params'>,
  sent: SentArguments,
): Promise<Binding> {
  const problems = new ParameterProblems(spec);
  const given = gatherArguments(spec, sent, problems);
  const typed = await coerceAll({ spec, params }, given, problems);
  const checked = await checkArguments(params, Object.fromEntries(typed), given);
  if (checked.ok && problems.count === 0) return checked;
  if (!checked.ok) addIssues(checked.issues, problems);
  const known = [...typed].filter(([name]) => !problems.has(name));
  const error = new ParameterError(report(spec, problems));
  return { ok: false, text: renderError(error).text, error, known: Object.fromEntries(known) };
}

/** Values of the declared types, by parameter; those that cannot be had become problems. */
async function coerceAll(
  { spec, params }: Pick<ToolDefinition, 'spec' | 'params'>,
  given: ReadonlyMap<string, unknown>,
  problems: ParameterProblems,
): Promise<ReadonlyMap<string, unknown>> {
  const typed = new Map(given);
  for (const param of spec.params) {
    const { name, type } = param;
    typed.delete(name);
    if (problems.has(name)) continue;
    if (!given.has(name)) {
      if (!('default' in param)) problems.add(name, 'required');
      continue;
    }
    const result = await coerce(given.get(name), { type, schema: params._zod.def.shape[name] });
    if (result.ok) typed.set(name, result.value);
    else problems.add(name, result.problem);
  }
  return typed;
}

/** A parameter with a problem was left out above, so the schema would only report it again. */
function addIssues(issues: readonly SchemaIssue[], problems: ParameterProblems): void {
  const fresh = issues.filter(({ name }) => name === undefined || !problems.has(name));
  for (const { name, path, text } of fresh) {
    if (name === undefined) problems.misuse('arguments', text);
    else problems.add(name, text, path);
  }
}

function report(spec: ToolSpec, problems: ParameterProblems): string {
  const count = problems.count === 1 ? '1 problem' : `${problems.count} problems`;
  const doc = docLine(spec.doc);
  return [
    `tool '${spec.name}' parameter error (${count})`,
    ...problems.lines(),
    `Usage: ${renderSignature(spec, { style: 'call' })}`,
    ...(doc === '' ? [] : [`  ${doc}`]),
  ].join('\n');
}

/** The result of validating a tool's arguments. */
type Checked =
  | { readonly ok: true; readonly params: Readonly<Record<string, unknown>> }
  | { readonly ok: false; readonly issues: readonly SchemaIssue[] };

/** One problem that a schema reports. */
interface SchemaIssue {
  /** The invalid parameter; undefined when the arguments are invalid as a whole. */
  readonly name: string | undefined;
  /** `filter.limit` for a part of a parameter, else the parameter's name. */
  readonly path: string;
  readonly text: string;
}

/**
 * Validates arguments and fills in defaults.
 *
 * @param sent the values before they were coerced, by parameter: what issues quote
 */
export async function checkArguments(
  schema: $ZodObject,
  args: Readonly<Record<string, unknown>>,
  sent: ReadonlyMap<string, unknown>,
): Promise<Checked> {
  const result = await safeParseAsync(schema, args, { error: wording, reportInput: true });
  if (result.success) return { ok: true, params: result.data };
  return { ok: false, issues: result.error.issues.map((issue) => schemaIssue(issue, sent)) };
}

function wording(issue: $ZodRawIssue): string {
  if (issue.code === 'unrecognized_keys') return issue.keys.map((key) => unknownKey(key, issue.inst)).join('; ');
  return describeIssue(issue);
}

function unknownKey(key: string, inst: $ZodRawIssue['inst']): string {
  const { shape } = (inst?._zod.def ?? {}) as { readonly shape?: object };
  const near = findNearestName(key, Object.keys(shape ?? {}));
  return `unknown key ${quoteName(key)}${near === undefined ? '' : ` (did you mean ${near}?)`}`;
}

function schemaIssue(issue: $ZodIssue, sent: ReadonlyMap<string, unknown>): SchemaIssue {
  const steps = issue.path.map(String);
  const [name] = steps;
  const path = steps.map(quoteName).join('.');
  if (name === undefined || issue.code === 'unrecognized_keys' || issue.message === 'required') {
    return { name, path, text: issue.message };
  }
  const value = steps.length === 1 ? sent.get(name) : issue.input;
  const comma = issue.message.includes(',') ? ';' : ',';
  return { name, path, text: `${issue.message}${comma} got ${quoteValue(value)}` };
}

interface Problem {
  /** Place in the list: declared parameters by position, then others, then misuse. */
  readonly rank: number;
  readonly name: string;
  readonly text: string;
}

/** Collects everything that is wrong with the arguments of one call, to be reported at once. */
class ParameterProblems {
  readonly #problems: Problem[] = [];
  readonly #names: readonly string[];

  constructor(spec: ToolSpec) {
    this.#names = spec.params.map(({ name }) => name);
  }

  get count(): number {
    return this.#problems.length;
  }

  /** True when something is wrong with a parameter already. */
  has(name: string): boolean {
    return this.#problems.some((problem) => problem.name === name);
  }

  /** A parameter (or a path below one, `filter.limit`) with a value that will not do. */
  add(name: string, text: string, path: string = name): void {
    const position = this.#names.indexOf(name);
    const rank = position < 0 ? this.#names.length : position;
    const line = path === name ? quoteName(name) : path;
    this.#problems.push({ rank, name, text: `${line}: ${text}` });
  }

  /** A name that the tool does not know. */
  unknown(name: string): void {
    const near = findNearestName(name, this.#names);
    const suggestion = near === undefined ? '' : ` (did you mean ${near}?)`;
    this.add(name, `unknown parameter${suggestion}`);
  }

  /** Something that belongs to no single parameter: the arguments together, the argument, the body. */
  misuse(part: 'arguments' | 'arg' | 'body', text: string): void {
    const rank = this.#names.length + 1 + ['arguments', 'arg', 'body'].indexOf(part);
    this.#problems.push({ rank, name: '', text: `${part}: ${text}` });
  }

  /** One line a problem, in the order of the parameters; unknown names after them, misuse last. */
  lines(): readonly string[] {
    const sorted = this.#problems.toSorted((a, b) => a.rank - b.rank || this.#compareNames(a, b));
    return sorted.map(({ text }) => `- ${text}`);
  }

  #compareNames(a: Problem, b: Problem): number {
    if (a.rank !== this.#names.length || a.name === b.name) return 0;
    return a.name < b.name ? -1 : 1;
  }
}

type Entries = readonly (readonly [name: string, value: unknown])[];
type Origin = 'tag' | 'keyword' | 'body';

/**
 * Sorts what was sent by parameter: argument, keywords, body. Values are as they were sent.
 *
 * Whatever belongs to no parameter, or to one that has a value already, becomes a problem.
 */
function gatherArguments(
  spec: ToolSpec,
  sent: SentArguments,
  problems: ParameterProblems,
): ReadonlyMap<string, unknown> {
  const values = new Map<string, unknown>();
  const origins = new Map<string, Origin>();
  const declared = new Set(spec.params.map(({ name }) => name));

  const give = (name: string, value: unknown, origin: Origin) => {
    if (value === undefined) return;
    const before = origins.get(name);
    if (!declared.has(name) && !takesName(spec, name)) problems.unknown(name);
    else if (before !== undefined) problems.add(name, `given twice (${before} and ${origin})`);
    else {
      origins.set(name, origin);
      values.set(name, value);
    }
  };

  const content = spec.params.find((param) => param.body === true);
  const entries = bodyEntries(content, sent.body);
  const fields = new Set(entries?.map(([name]) => name));
  const { argument, keywords } = splitArgument(spec, sent, fields);
  const primary = primaryParam(spec);
  if (primary !== undefined && argument !== '') give(primary.name, argument, 'tag');
  if (primary === undefined && argument !== '') problems.misuse('arg', 'this tool takes no argument');
  for (const [name, value] of keywords) give(name, value, 'tag');
  for (const [name, value] of Object.entries(sent.kwargs ?? {})) give(name, value, 'keyword');
  if (entries === undefined) problems.misuse('body', 'this tool takes no body');
  for (const [name, value] of entries ?? []) give(name, value, 'body');
  return values;
}

/** The parameters that a body gives values to; undefined when the tool cannot use the body. */
function bodyEntries(content: ParamSpec | undefined, body: string | undefined): Entries | undefined {
  if (body === undefined) return [];
  if (content !== undefined) return [[content.name, body]];
  // A write always has a closing tag, also of a tool that takes nothing between its tags.
  return body.trim() === '' ? [] : jsonBody(body);
}

/** The entries of a body that is one JSON object; undefined for any other text. */
function jsonBody(body: string): readonly (readonly [name: string, value: unknown])[] | undefined {
  try {
    const value: unknown = JSON.parse(body);
    if (typeof value !== 'object' || value === null || Array.isArray(value)) return undefined;
    return Object.entries(value);
  } catch {
    return undefined;
  }
}
