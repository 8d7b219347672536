import { BaeError, ParameterError, ResourceError, LineRangeError } from '../errors/bae-error.ts';
import type { ExplainedError } from '../feedback/render-feedback.ts';
import { findNearestName } from '../nearest-name/nearest-name.ts';
import { formatMention, formatSpacePath, type SpacePath, type SpaceTree } from '../protocol/space-path.ts';
import type { ToolCall } from '../protocol/tool-call.ts';
import type { ToolArguments, ToolDefinition, LineRange, ToolSpec } from '../protocol/tool-definition.ts';
import type { ToolResult } from '../protocol/tool-result.ts';
import { VERBS } from '../protocol/verbs.ts';
import { findNearestAncestor, hasTool, walkSpaces } from '../registry/navigation.ts';
import { sortToolNames } from '../tool-spec/tool-table.ts';
import { makeExampleCall, type TagSource } from '../tool-spec/example-call.ts';
import { renderSignature } from '../tool-spec/signature.ts';
import { quoteJson } from './quote-json.ts';
import { getPrimaryParam, splitArgument, type LiteralKeyword } from './split-argument.ts';
import { bindArguments } from './bind-arguments.ts';
import { rewriteCall, suggestCall } from './suggest-call.ts';

/**
 * Finds the session's own tool for a call, such as reading a kept result; returns undefined if a tool of the space is
 * meant. `space` is the dotted name of the space in which the call would run: `home`, `source.meta`.
 */
export type SessionTools = (call: ToolCall, space: string) => ToolDefinition | undefined;

interface CallScope {
  readonly tree: SpaceTree;
  readonly at: SpacePath;
  readonly sessionTools?: SessionTools | undefined;
}

/** A call and its tool. */
export interface ResolvedCall {
  /** Dotted name of the space in which the tool acts: `home`, `source.meta`. */
  readonly space: string;
  readonly definition: ToolDefinition;
  /** The call to make: an edit without changes has been turned into a read. */
  readonly call: ToolCall;
}

const MOST_PLACES = 3;

/**
 * Finds the tool for a call: the session's own tools first, then those of the space.
 *
 * @throws ResourceError when the space has no such tool, or no longer exists
 */
export function resolveCall(sent: ToolCall, { tree, at, sessionTools }: CallScope): ResolvedCall {
  const isText = sent.verb === 'write' || sent.verb === 'edit';
  // As a text, an empty line is its line break.
  const call = sent.isEmptyLine === true && isText ? { ...sent, body: '\n', block: false } : sent;
  // Where nothing can be edited, home tells what is a change.
  const edit = [at, []].find((path) => hasTool(tree, path, 'edit'));
  const meant = isView(call, edit && tree.at(edit)?.tools['edit']) ? { ...call, verb: 'read' } : call;
  const space = formatSpacePath(at);
  const definition = sessionTools?.(meant, space);
  if (definition !== undefined) return { space, definition, call: meant };
  try {
    return { ...resolveTool(tree, at, meant.verb), call: meant };
  } catch (error) {
    const here = tree.at(at);
    if (!(error instanceof ResourceError) || here === undefined) throw error;
    const near = findSimilarTool(tree, at, meant.verb);
    if (near !== undefined) throw new ResourceError(error.message, renameCall(call, near), error.cause);
    if (!hasTool(tree, [], meant.verb)) {
      const isCommon = (VERBS as readonly string[]).includes(meant.verb);
      // Two accounts of one server have the same tools.
      const only = isCommon ? undefined : (findOnlyOwner(tree, meant.verb, at[0]) ?? findOnlyOwner(tree, meant.verb));
      const [there] = only === undefined ? [] : makeCallAt(formatSpacePath(only), call);
      throw there === undefined ? error : new ResourceError(error.message, [there], error.cause);
    }
    if (at.length === 0) throw error;
    const [name = '', ...words] = call.arg.trim().split(/\s+/);
    // `<git.R:status>` means a tool of the place.
    const place = call.space === undefined ? '' : `${call.space}.`;
    if (Object.hasOwn(here.tools, name))
      throw new ResourceError(error.message, [`<${place}${name}:${words.join(' ')}>`], error.cause);
    const atHome = new ResourceError(error.message, [...makeCallAt('home', call), ...error.hints], error.cause);
    throw Object.assign(atHome, { toolAt: formatSpacePath([]) });
  }
}

/** Maximum length of a call that is repeated in a suggestion, in UTF-16 code units. */
const LONGEST_CALL = 200;

/**
 * Finds the only place that has a tool; undefined if there are others, or none.
 *
 * @param root space of home in which the place has to be. Default: any
 */
function findOnlyOwner(tree: SpaceTree, verb: string, root?: string): SpacePath | undefined {
  let only: SpacePath | undefined;
  for (const { path, space } of walkSpaces(tree)) {
    if (!Object.hasOwn(space.tools, verb) || (root !== undefined && path[0] !== root)) continue;
    if (only !== undefined) return undefined;
    only = path;
  }
  return only;
}

/** Writes a call as it would be made in a place: `<home.Grep:TODO>`. Returns nothing for one that is too long. */
function makeCallAt(place: string, call: ToolCall): readonly string[] {
  const { verb, tag } = call;
  return writeCall(call, `${place}.${verb}`, tag.replace(/^(<?)(?:[\w-]+\.)*/, `$1${place}.`));
}

/** Writes a call of another tool of the same place. */
function renameCall(call: ToolCall, tool: string): readonly string[] {
  const name = call.space === undefined ? tool : `${call.space}.${tool}`;
  return writeCall(call, name, call.tag.replace(/^(<?)(?:[\w-]+\.)*[\w-]+/, `$1${name}`));
}

function writeCall({ kwargs = {}, body, form }: ToolCall, name: string, tag: string): readonly string[] {
  const written = form === 'json' ? JSON.stringify({ name, arguments: kwargs }) : tag;
  if (written.length > LONGEST_CALL) return [];
  return body === undefined || form === 'json'
    ? [written]
    : [`${written}…</${written.slice(1).replace(/[:\s>].*/s, '')}>`];
}

/** Tests for an edit without any change, which must not be able to destroy anything. */
function isView(call: ToolCall, edit: ToolDefinition | undefined): boolean {
  if (call.verb !== 'edit' || call.body !== undefined) return false;
  if (Object.keys(call.kwargs ?? {}).length > 0) return false;
  if (edit === undefined) return true;
  const { keywords, misspelt, unquoted } = splitArgument(edit.spec, call);
  return keywords.size === 0 && misspelt.size === 0 && unquoted === undefined;
}

/**
 * Finds the tool for a verb at a location.
 *
 * @throws ResourceError with the tools of the place and the places that have the verb, or when the space no longer
 *   exists
 */
export function resolveTool(tree: SpaceTree, at: SpacePath, verb: string): Omit<ResolvedCall, 'call'> {
  const here = tree.at(at);
  if (here === undefined) throw spaceGone(tree, at);
  const definition = Object.hasOwn(here.tools, verb) ? here.tools[verb] : undefined;
  if (definition === undefined) throw unsupportedVerb(tree, at, verb);
  return { space: formatSpacePath(at), definition };
}

function unsupportedVerb(tree: SpaceTree, at: SpacePath, verb: string): ResourceError {
  const supported = sortToolNames(Object.keys(tree.at(at)?.tools ?? {}));
  const places = findPlaces(tree, at, verb);
  const near = findSimilarTool(tree, at, verb);
  const suggestion = near === undefined ? '' : ` Did you mean ${near}?`;
  const fact = `${formatSpacePath(at)} does not support ${verb}.${suggestion}`;
  // A server that cannot be reached has no tools, and says why when it is entered.
  const isEmpty = supported.length === 0 && at.length > 0 && !isKnownVerb(tree, verb);
  const entry = isEmpty ? [formatMention(at)] : [];
  return new ResourceError(`${fact}\nSupported here: ${supported.join(', ') || 'nothing'}`, [...entry, ...places]);
}

/** Finds the tool of a place that a verb was probably meant for: `read` for `reed`, `run_script` for `run`. */
function findSimilarTool(tree: SpaceTree, at: SpacePath, verb: string): string | undefined {
  if (isKnownVerb(tree, verb)) return undefined;
  const supported = sortToolNames(Object.keys(tree.at(at)?.tools ?? {}));
  const [only, ...others] = supported.filter((name) => name.split('_').includes(verb));
  return findNearestName(verb, supported) ?? (others.length === 0 ? only : undefined);
}

function isKnownVerb(tree: SpaceTree, verb: string): boolean {
  return [{ space: tree.home }, ...walkSpaces(tree)].some(({ space }) => Object.hasOwn(space.tools, verb));
}

function spaceGone(tree: SpaceTree, at: SpacePath): ResourceError {
  const places = new Set([formatMention(findNearestAncestor(tree, at)), formatMention([])]);
  return new ResourceError(`${formatSpacePath(at)} no longer exists. Nothing was called.`, [...places]);
}

/** Lists other places that support a verb: children first, then parents (nearest first), root spaces, home. */
function findPlaces(tree: SpaceTree, at: SpacePath, verb: string): readonly string[] {
  const children = tree.below(at).map(({ name }) => [...at, name]);
  const parents = at.map((_, depth) => at.slice(0, depth)).filter((path) => path.length > 0);
  const roots = tree.below([]).map(({ name }) => [name]);
  const home = at.length === 0 ? [] : [[]];
  const here = formatMention(at);
  const places = [...children, ...parents.toReversed(), ...roots, ...home]
    .filter((path) => hasTool(tree, path, verb))
    .map(formatMention)
    .filter((place) => place !== here);
  return [...new Set(places)].slice(0, MOST_PLACES);
}

/** Binds the arguments of a call. @throws ParameterError with the call that was probably meant */
export async function bindCall(definition: ToolDefinition, call: ToolCall, fromCode: boolean): Promise<SplitTarget> {
  const bound = await bindArguments(definition, fromCode ? { ...call, isData: true } : call);
  if (bound.ok) return splitLineRange({ definition, known: bound.params });
  const { spec } = definition;
  const { error, known, unfilled, shapes, summary } = bound;
  const nothingKept = unfilled.length === 0 && Object.keys(known).length === 0;
  const shown = nothingKept ? showExample(spec) : known;
  const suggestions = [suggestCall({ spec, call, known: shown, unfilled, fromCode, shapes })];
  const isText = spec.name === 'grep' && !fromCode && call.form === undefined && !call.arg.includes('"');
  if (isText && summary === undefined && call.arg !== '') suggestions.push(`<Grep:"${call.arg}">`);
  throw new ParameterError(summary ?? error.message, suggestions);
}

/** Gives the first parameter its example: some tools need one of several values that can all be left out. */
function showExample({ params: [first] }: ToolSpec): Readonly<Record<string, unknown>> {
  return typeof first?.example === 'string' && first.example !== '' ? { [first.name]: first.example } : {};
}

/** Adds the usage and a working call to an error about arguments that a tool threw without them. */
export function explainParameters(error: unknown, definition: ToolDefinition | undefined): unknown {
  if (definition === undefined || !BaeError.is(error) || error.name !== 'ParameterError') return error;
  if (error.hints.length > 0 || error.message.includes('\nUsage: ')) return error;
  const usage = `Usage: ${renderSignature(definition.spec, { style: 'call' })}`;
  const tag = makeExampleCall({ definition, known: {} });
  return new ParameterError(`${error.message}\n${usage}`, [tag], error.cause);
}

/** A call whose arguments have been assigned to the parameters of its tool. */
export interface BoundCall {
  readonly tool: string;
  /** Value of the first parameter, as text. */
  readonly target: string;
  /** Values of the other parameters that are texts or numbers, without the body and the defaults. */
  readonly options: readonly string[];
  /** True if the target only selects one of the tool's own items: code names such items, too. */
  readonly selects: boolean;
}

/** Lists the parameters of a call whose values only select something. */
export function listSelecting({ selects = [] }: ToolDefinition, params: ToolArguments): readonly string[] {
  return typeof selects === 'function' ? selects(params) : selects;
}

/** @param target value of the first parameter, as text */
export function toBoundCall(
  { name, spec, selects = [] }: ToolDefinition,
  params: ToolArguments,
  target: string,
): BoundCall {
  const primary = getPrimaryParam(spec)?.name ?? '';
  const options = spec.params
    .filter((param) => param.name !== primary && param.body !== true && params[param.name] !== param.default)
    .map((param) => params[param.name])
    .filter((value) => typeof value === 'string' || typeof value === 'number');
  const isSelected = typeof selects !== 'function' && selects.includes(primary);
  return { tool: name, target, options: options.map(String), selects: isSelected };
}

/** Errors that have nothing to do with how the arguments were read. */
const UNRELATED: ReadonlySet<string> = new Set(['ApprovalError', 'TimeoutError', 'AbortError']);

/** Keywords without which a call would do something else than was meant: a write would replace the file. */
const CHANGES_EFFECT = /^(?:append|insert)$/;

/** Returns what looks like a keyword but was read as a part of the argument; undefined if there is none. */
function findLiteral({ form, ...call }: ToolCall, { spec }: ToolDefinition): LiteralKeyword | undefined {
  return form === undefined ? splitArgument(spec, call).literal : undefined;
}

function describeReading({ arg }: ToolCall, { spec }: ToolDefinition): string {
  return `the whole text ${quoteJson(arg)} was read as ${getPrimaryParam(spec)?.name ?? 'the argument'}`;
}

/** A call and its tool, in the place where it was made. */
interface AnsweredCall {
  readonly call: ToolCall;
  /** Undefined if the call comes from code, or has no tool. */
  readonly definition: ToolDefinition | undefined;
  /** Qualifies a tag so that it works where the call was made. */
  readonly tag: (tag: string) => string;
}

/** Adds to a result without rows how the argument was read, if there is doubt. */
export function explainNothing(
  result: ToolResult,
  { call, definition }: Pick<ResolvedCall, 'call' | 'definition'>,
): ToolResult {
  const { ok, rows, text } = result;
  if (!ok || !(rows === 0 || text.startsWith('(no ')) || text.includes(' whole text ')) return result;
  if (findLiteral(call, definition) === undefined) return result;
  return { ...result, text: `${text}\n(${describeReading(call, definition)})` };
}

/** Adds to an error how the argument was read, if there is doubt, and the call without the keyword. */
export async function explainLiteral(
  explained: ExplainedError,
  error: unknown,
  { call, definition, tag }: AnsweredCall,
): Promise<ExplainedError> {
  const literal = definition && findLiteral(call, definition);
  // The argument of grep may be any text.
  if (literal === undefined || definition === undefined || definition.spec.name === 'grep') return explained;
  if (BaeError.is(error) && UNRELATED.has(error.name)) return explained;
  const { name, without } = literal;
  const { fact, remedies } = explained;
  const note = `\n(${describeReading(call, definition)}; ${name} is no parameter)`;
  const isTold = [fact, ...remedies].some((text) => text.includes(`parameter '${name}'`));
  const told = { fact: isTold ? fact : fact + note, remedies };
  if (without === '' || CHANGES_EFFECT.test(name)) return told;
  const hint = tag(await rewriteCall({ ...call, arg: without }, definition, { form: 'tag' }));
  return { ...told, remedies: [hint, ...remedies.filter((one) => one !== hint)] };
}

/** A target without its line range, or the reason why the range is invalid. */
export type SplitRange =
  | { readonly target: string; readonly range: LineRange | null }
  | { readonly error: 'bad-range' };

// Longer numbers are not line numbers, and would lose precision.
const RANGE = /^(.+?):(\d{1,15})(?:(-)|([-:])(\d{1,15}))?$/s;
/** Other notations for the same, which are converted to the usual form. */
const OTHER_RANGES: readonly RegExp[] = [
  /(?:[:#]|\s)L(\d{1,15})(?:\s?[-:,–]\s?L?(\d{1,15}))?$/,
  /:(\d{1,15})\s?(?:[,–]|\.{2,3})\s?(\d{1,15})$/,
  /@(\d{1,15})-(\d{1,15})$/,
  /\s\(?(?:lines?|(?:view_|line_)?range)[\s=:]+["'[]?(\d{1,15})(?:\s?(?:[-:,–]|\.{2,3})\s?(\d{1,15}))?["'\]]?\)?$/,
  /\[(\d{1,15})[-:,](\d{1,15})\]$/,
  /\s(?:start|from|start_line)=(\d{1,15})[\s,]+(?:end|to|end_line)=(\d{1,15})$/,
  /\s(\d{1,15})[\s-](\d{1,15})$/,
];
/** A first line and a number of lines, either of which may be left out. */
const COUNTED_LINES = /\s(?=offset=|limit=|head=)(?:offset=(\d{1,15}))?[\s,]*(?:(?:limit|head)=(\d{1,15}))?$/;

/**
 * Removes the line range from the end of an argument: `a.py:10-15`, `a.py:10:15`, `a.py:10`, `a.py:10-`; or in the
 * notation of other programs: `a.py#L10-L15`, `a.py lines=10-15`, `a.py start=10 end=15`, `a.py offset=10 limit=6`.
 * Lines count from 1 and the last one is included; in `a.py:47:3`, 3 is a column. A range that starts at line 0, or ends
 * before it starts, is an error.
 */
export function splitRange(arg: string): SplitRange {
  const whole = arg.trim();
  const [, target, first, open, mark, last = first] = RANGE.exec(toUsualRange(whole)) ?? [];
  if (target === undefined) return { target: whole, range: null };
  const start = Number(first);
  // Compilers and stack traces write `a.py:47:3` for line 47, column 3.
  const isColumn = mark === ':' && Number(last) < start && Number(last) > 0;
  const end = open === undefined ? (isColumn ? start : Number(last)) : null;
  if (start < 1 || (end !== null && end < start)) return { error: 'bad-range' };
  return { target: target.trimEnd(), range: [start, end] };
}

function toUsualRange(whole: string): string {
  for (const form of OTHER_RANGES) {
    const found = form.exec(whole);
    if (found !== null && found.index > 0)
      return `${whole.slice(0, found.index).replace(/,$/, '')}:${found[1]}-${found[2] ?? found[1]}`;
  }
  const counted = COUNTED_LINES.exec(whole);
  if (counted === null || counted.index === 0) return whole;
  const first = Math.max(Number(counted[1] ?? 1), 1);
  const last = counted[2] === undefined ? '' : first + Number(counted[2]) - 1;
  return `${whole.slice(0, counted.index).replace(/,$/, '')}:${first}-${last}`;
}

/** Arguments without a line range, and the range. */
interface SplitTarget {
  readonly params: Readonly<Record<string, unknown>>;
  readonly range?: LineRange;
  /** Argument with its range, as it was sent. */
  readonly argument?: string;
}

/**
 * Splits the line range off a tool's argument, for a tool that takes ranges.
 *
 * @throws LineRangeError when the range does not make sense
 */
export function splitLineRange({ definition, known: params }: TagSource): SplitTarget {
  const { spec } = definition;
  const name = getPrimaryParam(spec)?.name ?? '';
  const argument = params[name];
  if (spec.range !== true || typeof argument !== 'string') return { params };
  const split = splitRange(argument);
  if (!('error' in split)) {
    return split.range === null
      ? { params }
      : { params: { ...params, [name]: split.target }, range: split.range, argument };
  }
  const [suffix = ''] = /:\d+(?:[-:]\d*)?$/.exec(argument) ?? [];
  const target = `${argument.slice(0, argument.length - suffix.length)}:${guessRange(suffix)}`;
  const example = makeExampleCall({ definition, known: { ...params, [name]: target } });
  const got = suffix.slice(1).replace(':', '-');
  throw new LineRangeError(`line range must be 1 ≤ start ≤ end (got ${got}).`, [example]);
}

/** Guesses the intended range for one that ends before it starts, or starts before the first line. */
function guessRange(suffix: string): string {
  const lines = (suffix.match(/\d+/g) ?? []).map((digits) => Math.max(1, Number(digits)));
  const end = suffix.endsWith('-') ? '' : Math.max(...lines);
  return `${Math.min(...lines)}-${end}`;
}
