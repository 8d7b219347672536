import { ResourceError } from '../errors/call-errors.ts';
import { breadcrumb, dotted, type SpacePath, type SpaceTree } from '../protocol/space-path.ts';
import type { SpaceDefinition } from '../protocol/resourcespace.ts';
import { units } from '../text-size/units.ts';
import { plainLine } from '../tool-spec/plain-text.ts';
import { withAdvanced } from './render-advanced.ts';
import { renderOrientation } from './render-orientation.ts';
import { renderState } from './render-state.ts';
import { renderSubspaceNames, renderSubspaces } from './render-subspaces.ts';
import { renderToolNames, renderTools, renderToolsWithin } from './render-tools.ts';
import { clipped, joined, renderWithin } from './render-within.ts';

/** Share of the cap that a state may take where not everything fits, and where next to nothing does. */
const STATE_SHARE = 0.4;
const LEAST_STATE_SHARE = 0.1;

/** What the display of a place is made from. */
export interface PlaceRequest {
  readonly tree: SpaceTree;
  readonly at: SpacePath;
  /** Units the display may have. */
  readonly cap: number;
  /** A first line, for a display that answers a move. */
  readonly transition?: string;
  /** False where run blocks are not executed, so that nobody is told of them. Default: true. */
  readonly runBlocks?: boolean;
}

/**
 * A place with everything there is to know on entering it: where it is, what it is for, its state,
 * what is below it, its tools. Where that is too much, the least needed goes first.
 *
 * @throws ResourceError when there is nothing at the path
 */
export async function renderPlace(request: PlaceRequest): Promise<string> {
  const { tree, at, cap, transition } = request;
  if (at.length === 0) return renderOrientation(request);
  const space = tree.at(at);
  if (space === undefined) throw new ResourceError(`${dotted(at)} is not there any more.\nSee what there is: nav()`);
  const head = joined(transition, breadcrumb(at), clipped(plainLine(space.description), cap * STATE_SHARE));
  return renderWithin(versions(request, space, { head, state: await renderState(space) }), cap);
}

function* versions(
  { tree, at, cap, runBlocks }: PlaceRequest,
  space: SpaceDefinition,
  { head, state }: { readonly head: string; readonly state: string },
): Generator<string> {
  const whole = joined(head, state, renderSubspaces(tree, at), renderTools(space));
  yield* withAdvanced(whole, { at, space, runBlocks });
  for (const below of [renderSubspaces(tree, at), renderSubspaceNames(tree, at)]) {
    const above = joined(head, clipped(state, cap * STATE_SHARE), below);
    const tools = renderToolsWithin(space, cap - units(above) - 1);
    if (tools !== undefined) yield joined(above, tools);
  }
  yield joined(head, clipped(state, cap * LEAST_STATE_SHARE), renderSubspaceNames(tree, at), renderToolNames(space));
}
