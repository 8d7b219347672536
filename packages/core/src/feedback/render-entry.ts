import { type Move, breadcrumb, dotted, type SpaceTree } from '../protocol/space-path.ts';
import type { SpaceDefinition } from '../protocol/resourcespace.ts';
import { toolTable } from '../tool-spec/tool-table.ts';
import { renderMove } from './render-move.ts';
import { renderPlace } from './render-place.ts';
import { renderState } from './render-state.ts';
import { renderToolNames } from './render-tools.ts';
import { clipped, joined } from './render-within.ts';

/** Longest line of a state that a short display repeats, in units. */
const STATE_LINE = 240;

/** What the answer to a move is made from. */
export interface EntryRequest {
  readonly tree: SpaceTree;
  readonly move: Move;
  /** Units the answer may have. */
  readonly cap: number;
  /** Fingerprints of the spaces the session has seen whole, by dotted path. */
  readonly seen?: ReadonlyMap<string, string>;
  /** False where run blocks are not executed, so that nobody is told of them. Default: true. */
  readonly runBlocks?: boolean;
}

/**
 * The answer to a move: the place as a whole, or only its state when the session knows the rest
 * already. Home is always whole, since its counts are news.
 *
 * @throws ResourceError when the place has disappeared since
 */
export async function renderEntry({ move, seen, ...request }: EntryRequest): Promise<string> {
  const transition = renderMove(move);
  if (!move.moved) return transition;
  const { tree, cap } = request;
  const at = move.to;
  const space = tree.at(at);
  const known =
    at.length > 0 && space !== undefined && seen?.get(dotted(at)) === entryFingerprint(space, tree.below(at));
  if (!known) return renderPlace({ ...request, at, transition });
  const [stateLine = ''] = (await renderState(space)).split('\n');
  return clipped(joined(transition, breadcrumb(at), clipped(stateLine, STATE_LINE), renderToolNames(space)), cap);
}

/** Tells whether the tools and subspaces of a space are still those that were shown. */
export function entryFingerprint(space: SpaceDefinition, children: readonly SpaceDefinition[]): string {
  const specs = Object.fromEntries(Object.entries(space.tools).map(([name, tool]) => [name, tool.spec]));
  return [toolTable(specs, { style: 'tag' }), ...children.map(({ name }) => name)].join('\n');
}
