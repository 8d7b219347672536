import { ParameterError, ResourceError } from '../errors/call-errors.ts';
import { findNearestName } from '../nearest-name/nearest-name.ts';
import { formatMention, formatSpacePath, type SpacePath, type SpaceTree } from '../protocol/space-path.ts';
import type { ToolCall } from '../protocol/tool-call.ts';
import type { ToolArguments, ToolDefinition } from '../protocol/tool-definition.ts';
import { findNearestAncestor, hasTool, walkSpaces } from '../registry/find-spaces.ts';
import { sortToolNames } from '../tool-spec/tool-table.ts';
import { splitLineRange, type SplitTarget } from './argument-suffix.ts';
import { getPrimaryParam, splitArgument } from './split-argument.ts';
import { BaeError } from '../errors/bae-error.ts';
import { makeExampleCall } from '../tool-spec/example-call.ts';
import { renderSignature } from '../tool-spec/signature.ts';
import { bindArguments } from './bind-arguments.ts';
import { suggestCall } from './suggest-call.ts';

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
export function resolveCall(call: ToolCall, { tree, at, sessionTools }: CallScope): ResolvedCall {
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
    const isElsewhere = at.length > 0 && here !== undefined && hasTool(tree, [], meant.verb);
    if (!(error instanceof ResourceError) || !isElsewhere) throw error;
    const [name = '', ...words] = call.arg.trim().split(/\s+/);
    // `<git.R:status>` means a tool of the place.
    const place = call.space === undefined ? '' : `${call.space}.`;
    if (Object.hasOwn(here.tools, name))
      throw new ResourceError(error.message, [`<${place}${name}:${words.join(' ')}>`], error.cause);
    throw new ResourceError(error.message, [...callAtHome(call), ...error.hints], error.cause);
  }
}

/** Maximum length of a call that is repeated in a suggestion, in UTF-16 code units. */
const LONGEST_CALL = 200;

/** Writes a call as it would be made at home: `<home.Grep:TODO>`. Returns nothing for one that is too long. */
function callAtHome({ verb, kwargs = {}, tag, body, form }: ToolCall): readonly string[] {
  const written =
    form === 'json'
      ? JSON.stringify({ name: `home.${verb}`, arguments: kwargs })
      : tag.replace(/^(<?)(?:[\w-]+\.)*/, '$1home.');
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
  const near = places.length === 0 && !isKnownVerb(tree, verb) ? findNearestName(verb, supported) : undefined;
  const suggestion = near === undefined ? '' : ` Did you mean ${near}?`;
  const fact = `${formatSpacePath(at)} does not support ${verb}.${suggestion}`;
  // A server that cannot be reached has no tools, and says why when it is entered.
  const isEmpty = supported.length === 0 && at.length > 0 && !isKnownVerb(tree, verb);
  const entry = isEmpty ? [formatMention(at)] : [];
  return new ResourceError(`${fact}\nSupported here: ${supported.join(', ') || 'nothing'}`, [...entry, ...places]);
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
  const suggestions = [suggestCall({ spec, call, known, unfilled, fromCode, shapes })];
  const isText = spec.name === 'grep' && !fromCode && call.form === undefined && !call.arg.includes('"');
  if (isText && summary === undefined && call.arg !== '') suggestions.push(`<Grep:"${call.arg}">`);
  throw new ParameterError(summary ?? error.message, suggestions);
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
  return { tool: name, target, options: options.map(String), selects: selects.includes(primary) };
}
