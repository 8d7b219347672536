import { ResourceError } from '../errors/call-errors.ts';
import { findNearestName } from '../nearest-name/nearest-name.ts';
import type { SpaceDefinition } from '../protocol/resourcespace.ts';
import { formatMention, formatSpacePath, type SpacePath, type SpaceTree } from '../protocol/space-path.ts';
import type { ToolCall } from '../protocol/tool-call.ts';
import type { ToolDefinition } from '../protocol/tool-definition.ts';
import { walkSpaces } from '../registry/walk-spaces.ts';
import { inToolOrder } from '../tool-spec/tool-table.ts';
import { splitArgument } from './split-argument.ts';

/**
 * Tools that belong to the session rather than to a space, for example reading a kept result.
 *
 * They are asked before the tools of the space.
 */
export interface SessionTools {
  /**
   * The session's tool for a call; undefined when the space's own tool is meant.
   *
   * @param space the space the call would run in, dotted: `home`, `source.meta`
   */
  find(call: ToolCall, space: string): ToolDefinition | undefined;
}

/** Where a call may find its tool. */
interface CallScope {
  readonly tree: SpaceTree;
  /** The space the call runs in. */
  readonly at: SpacePath;
  readonly sessionTools?: SessionTools | undefined;
}

/** A call and its tool. */
export interface ResolvedCall extends ResolvedTool {
  /** The call to make: an edit that changes nothing has become a read. */
  readonly call: ToolCall;
}

/**
 * Finds the tool for a call: the session's own tools first, then those of the space.
 *
 * @throws ResourceError when the space has no such tool, or no longer exists
 */
export function resolveCall(call: ToolCall, { tree, at, sessionTools }: CallScope): ResolvedCall {
  const here = tree.at(at);
  const edit = hasTool(here, 'edit') ? here?.tools['edit'] : undefined;
  const meant = isView(call, edit) ? { ...call, verb: 'read' } : call;
  const own = sessionTools?.find(meant, formatSpacePath(at));
  if (own !== undefined) return { space: formatSpacePath(at), definition: own, call: meant };
  return { ...resolveTool(tree, at, meant.verb), call: meant };
}

/** An edit without any change must not be able to destroy anything. */
function isView(call: ToolCall, edit: ToolDefinition | undefined): boolean {
  if (call.verb !== 'edit' || call.body !== undefined) return false;
  if (Object.keys(call.kwargs ?? {}).length > 0) return false;
  return edit === undefined || splitArgument(edit.spec, call).keywords.size === 0;
}

/** A tool and the space it acts in, dotted: `home`, `source.meta`. */
interface ResolvedTool {
  readonly space: string;
  readonly definition: ToolDefinition;
}

/**
 * The tool that a verb means at a location.
 *
 * @throws ResourceError with the tools of the place and the places that have the verb, or when the space no longer exists
 */
export function resolveTool(tree: SpaceTree, at: SpacePath, verb: string): ResolvedTool {
  const here = tree.at(at);
  if (here === undefined) throw gone(tree, at);
  const definition = hasTool(here, verb) ? here.tools[verb] : undefined;
  if (definition === undefined) throw unsupported(tree, at, verb);
  return { space: formatSpacePath(at), definition };
}

function unsupported(tree: SpaceTree, at: SpacePath, verb: string): ResourceError {
  const supported = inToolOrder(Object.keys(tree.at(at)?.tools ?? {}));
  const places = findPlaces(tree, at, verb);
  const near = places.length === 0 && !isKnown(tree, verb) ? findNearestName(verb, supported) : undefined;
  const suggestion = near === undefined ? '' : ` Did you mean ${near}?`;
  const fact = `${formatSpacePath(at)} does not support ${verb}.${suggestion}`;
  return new ResourceError(`${fact}\nSupported here: ${supported.join(', ') || 'nothing'}`, places);
}

function isKnown(tree: SpaceTree, verb: string): boolean {
  if (hasTool(tree.home, verb)) return true;
  for (const { space } of walkSpaces(tree)) if (hasTool(space, verb)) return true;
  return false;
}

function gone(tree: SpaceTree, at: SpacePath): ResourceError {
  let living = at;
  while (living.length > 0 && tree.at(living) === undefined) living = living.slice(0, -1);
  const places = new Set([formatMention(living), formatMention([])]);
  return new ResourceError(`${formatSpacePath(at)} is not there any more. Nothing was called.`, [...places]);
}

/** Places that an error names at most. */
const MOST_PLACES = 3;

/** True when a space has a tool of its own by that name. */
function hasTool(space: SpaceDefinition | undefined, verb: string): boolean {
  return space !== undefined && Object.hasOwn(space.tools, verb);
}

/**
 * Where else a verb is supported, as mentions: children first, then parents (nearest first), other
 * root spaces, home. At most three.
 */
function findPlaces(tree: SpaceTree, at: SpacePath, verb: string): readonly string[] {
  const children = tree.below(at).map(({ name }) => [...at, name]);
  const parents = at.map((_, depth) => at.slice(0, depth)).filter((path) => path.length > 0);
  const roots = tree.below([]).map(({ name }) => [name]);
  const home = at.length === 0 ? [] : [[]];
  const here = formatMention(at);
  const places = [...children, ...parents.toReversed(), ...roots, ...home]
    .filter((path) => hasTool(tree.at(path), verb))
    .map(formatMention)
    .filter((place) => place !== here);
  return [...new Set(places)].slice(0, MOST_PLACES);
}
