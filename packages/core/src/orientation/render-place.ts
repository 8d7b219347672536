import { formatErrorLine, ResourceError } from '../errors/bae-error.ts';
import { HEAD_LINE_CAP, NAV_BREADTH } from '../protocol/limits.ts';
import type { SpaceDefinition } from '../protocol/resourcespace.ts';
import {
  formatBreadcrumb,
  formatMention,
  formatSpacePath,
  type Move,
  type SpacePath,
  type SpaceTree,
} from '../protocol/space-path.ts';
import {
  isWithinUnits,
  chooseVersion,
  isWithinLimit,
  joinParts,
  joinFirst,
  truncateUnits,
} from '../text-size/text-size.ts';
import { stripControlCharacters } from '../tool-spec/plain-text.ts';
import { renderHome, renderState } from './render-home.ts';
import { renderToolNames, renderTools, renderToolsWithin, renderToolTable } from './render-tools.ts';

/** Share of the cap that a state may take if not everything fits, and if hardly anything does. */
const STATE_SHARE = 0.4;
const LEAST_STATE_SHARE = 0.1;
const STATE_LINE = 240;

interface PlaceRequest {
  readonly tree: SpaceTree;
  readonly at: SpacePath;
  /** Maximum length of the display, in units. */
  readonly cap: number;
  /** First line of a display that follows a move. */
  readonly transition?: string;
}

/**
 * Renders a place with its description, state, subspaces and tools; if that is too long, the least needed parts are
 * left out first.
 *
 * @throws ResourceError if there is nothing at the path
 */
export async function renderPlace(request: PlaceRequest): Promise<string> {
  const { tree, at, cap, transition } = request;
  if (at.length === 0) return renderHome(tree, cap, transition);
  const space = tree.at(at);
  if (space === undefined) {
    throw new ResourceError(`${formatSpacePath(at)} no longer exists.\nSee what there is: nav()`);
  }
  const about = truncateUnits(stripControlCharacters(space.description), cap * STATE_SHARE);
  const state = await renderState(space);
  const shown = await leaveOutIdleTools(space);
  const line = `${formatBreadcrumb(at)} -- ${about}`;
  const isShort = !state.includes('\n') && isWithinUnits(`${line} ${state}`, HEAD_LINE_CAP);
  const head = joinParts(transition, isShort ? `${line} ${state}`.trimEnd() : line);
  return chooseVersion(listPlaceVersions(request, shown, { head, state: isShort ? '' : state }), cap, isWithinLimit);
}

function* listPlaceVersions(
  { tree, at, cap }: PlaceRequest,
  space: SpaceDefinition,
  { head, state }: { readonly head: string; readonly state: string },
): Generator<string> {
  const subspaces = renderSubspaces(tree, at);
  yield joinParts(head, state, subspaces, renderTools(space));
  const names = renderSubspaceNames(tree, at);
  for (const below of [subspaces, names]) {
    const above = joinParts(head, truncateUnits(state, cap * STATE_SHARE), below);
    const tools = renderToolsWithin(space, (text) => isWithinLimit(joinParts(above, text), cap));
    if (tools !== undefined) yield joinParts(above, tools);
  }
  yield joinParts(head, truncateUnits(state, cap * LEAST_STATE_SHARE), names, renderToolNames(space));
}

/** Leaves out the tools that can do nothing at the moment; a place in which none can says so, and keeps all. */
async function leaveOutIdleTools(space: SpaceDefinition): Promise<SpaceDefinition> {
  try {
    if (space.isIdle === undefined) return space;
    const idle = await Promise.all(Object.keys(space.tools).map(async (name) => await space.isIdle!(name)));
    if (!idle.includes(true) || !idle.includes(false)) return space;
    const tools = Object.fromEntries(Object.entries(space.tools).filter((_, index) => idle[index] === false));
    return Object.create(space, { tools: { value: tools } }) as SpaceDefinition;
  } catch {
    return space;
  }
}

/** Lists the spaces below another with their descriptions; only their names if there are many. */
function renderSubspaces(tree: SpaceTree, at: SpacePath): string {
  const children = tree.below(at);
  if (children.length === 0 || children.length > NAV_BREADTH) return renderSubspaceNames(tree, at);
  const lines = children.map(({ name, description }) => {
    return truncateUnits(`  ${formatMention([...at, name])} -- ${stripControlCharacters(description)}`, HEAD_LINE_CAP);
  });
  return ['Subspaces:', ...lines].join('\n');
}

/** Lists the spaces below another on a single line; empty if there are none, a note if `children()` fails. */
function renderSubspaceNames(tree: SpaceTree, at: SpacePath): string {
  const children = tree.below(at);
  if (children.length === 0) return renderChildrenProblem(tree, at);
  const names = children.map(({ name }) => formatMention([...at, name]));
  return `Subspaces: ${joinFirst(names, NAV_BREADTH)}`;
}

/** A tree shows no children if `children()` fails, so it is called once more to get the reason. */
function renderChildrenProblem(tree: SpaceTree, at: SpacePath): string {
  try {
    const children: unknown = tree.at(at)?.children();
    if (children === undefined || (typeof children === 'object' && children !== null)) return '';
    return `Subspaces: unavailable: children() returned ${children === null ? 'null' : typeof children}`;
  } catch (error) {
    return `Subspaces: unavailable: ${formatErrorLine(error)}`;
  }
}

interface ArrivalRequest extends Pick<PlaceRequest, 'tree' | 'cap'> {
  readonly move: Move;
  /** Fingerprints of the spaces that the session has seen in full, by dotted path. */
  readonly seen?: ReadonlyMap<string, string>;
}

/**
 * Renders the display after a move: the whole place, or only its state if the session has seen the rest. Home is
 * rendered in full.
 */
export async function renderArrival({ move, seen, ...request }: ArrivalRequest): Promise<string> {
  const transition = renderMove(move);
  if (!move.moved) return transition;
  const { tree, cap } = request;
  const at = move.to;
  const space = tree.at(at);
  const isKnown =
    at.length > 0 && space !== undefined && seen?.get(formatSpacePath(at)) === fingerprintSpace(space, tree.below(at));
  if (!isKnown) return renderPlace({ ...request, at, transition });
  const [firstLine = ''] = (await renderState(space)).split('\n');
  const state = truncateUnits(firstLine, STATE_LINE);
  const names = renderToolNames(await leaveOutIdleTools(space));
  return truncateUnits(joinParts(transition, formatBreadcrumb(at), state, names), cap);
}

/** Returns a fingerprint that changes with the tools and subspaces of a space, but not with its state. */
export function fingerprintSpace(space: SpaceDefinition, children: readonly SpaceDefinition[]): string {
  return [renderToolTable(space), ...children.map(({ name }) => name)].join('\n');
}

/** Renders a move as one line: `Entering source`, `Left source -> entering tasks`, `Left source -> home`. */
export function renderMove({ from, to, moved }: Move): string {
  if (!moved) return `Already in ${formatSpacePath(to)}.`;
  if (from.length === 0) return `Entering ${formatSpacePath(to)}`;
  return `Left ${formatSpacePath(from)} -> ${to.length === 0 ? 'home' : `entering ${formatSpacePath(to)}`}`;
}
