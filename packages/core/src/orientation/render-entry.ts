import { type Move, formatBreadcrumb, formatSpacePath } from '../protocol/space-path.ts';
import type { SpaceDefinition } from '../protocol/resourcespace.ts';
import { joinParts, truncate } from '../text-size/fit-text.ts';
import { renderPlace, type PlaceRequest } from './render-place.ts';
import { renderState } from './render-state.ts';
import { renderToolNames, renderToolTable } from './render-tools.ts';

/** Longest line of a state that a short display repeats, in units. */
const STATE_LINE = 240;

/** What the display that follows a move is made from. */
interface EntryRequest extends Pick<PlaceRequest, 'tree' | 'cap' | 'runBlocks'> {
  readonly move: Move;
  /** Fingerprints of the spaces the session has seen whole, by dotted path. */
  readonly seen?: ReadonlyMap<string, string>;
}

/**
 * What is shown after a move: the place as a whole, or only its state when the session has seen the rest.
 * Home is always whole, since its counts are news.
 *
 * @throws ResourceError when the place has disappeared since
 */
export async function renderEntry({ move, seen, ...request }: EntryRequest): Promise<string> {
  const transition = renderMove(move);
  if (!move.moved) return transition;
  const { tree, cap } = request;
  const at = move.to;
  const space = tree.at(at);
  const isKnown =
    at.length > 0 && space !== undefined && seen?.get(formatSpacePath(at)) === fingerprintSpace(space, tree.below(at));
  if (!isKnown) return renderPlace({ ...request, at, transition });
  const [stateLine = ''] = (await renderState(space)).split('\n');
  return truncate(
    joinParts(transition, formatBreadcrumb(at), truncate(stateLine, STATE_LINE), renderToolNames(space)),
    cap,
  );
}

/** Changes with the tools and subspaces of a space, not with its state. */
export function fingerprintSpace(space: SpaceDefinition, children: readonly SpaceDefinition[]): string {
  return [renderToolTable(space), ...children.map(({ name }) => name)].join('\n');
}

/** A move as one line: `Entering source`, `Left source -> entering tasks`, `Left source -> home`. */
export function renderMove({ from, to, moved }: Move): string {
  if (!moved) return `Already in ${formatSpacePath(to)}.`;
  if (from.length === 0) return `Entering ${formatSpacePath(to)}`;
  return to.length === 0
    ? `Left ${formatSpacePath(from)} -> home`
    : `Left ${formatSpacePath(from)} -> entering ${formatSpacePath(to)}`;
}
