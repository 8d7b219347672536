import type { SpaceTree } from '../protocol/space-path.ts';
import { units } from '../text-size/units.ts';
import { renderSmallWorld } from './render-small-world.ts';
import { renderSpaceList } from './render-space-list.ts';
import { renderState } from './render-state.ts';
import { renderToolNames, renderTools, renderToolsWithin } from './render-tools.ts';
import { clipped, joined, renderWithin } from './render-within.ts';

/** Share of the cap that what home says of itself may take. */
const STATE_SHARE = 0.2;

/** What the display of home is made from. */
export interface OrientationRequest {
  readonly tree: SpaceTree;
  /** Units the display may have. */
  readonly cap: number;
  /** A first line, for a display that answers a move. */
  readonly transition?: string;
}

/**
 * Home as the model sees it: breadcrumb, the spaces with their counts, the tools of home. In a small
 * world the tools of all spaces as well. Made anew each time.
 */
export async function renderOrientation(request: OrientationRequest): Promise<string> {
  const { tree, cap, transition } = request;
  const [state, lists] = await Promise.all([renderState(tree.home), renderSpaceList(tree)]);
  const head = joined(transition, 'home', clipped(state, cap * STATE_SHARE));
  return renderWithin(versions(request, { head, lists }), cap);
}

function* versions(
  { tree, cap }: OrientationRequest,
  { head, lists }: { readonly head: string; readonly lists: readonly string[] },
): Generator<string> {
  const { home } = tree;
  yield joined(head, lists[0], renderTools(home), renderSmallWorld(tree));
  for (const list of lists) {
    const above = joined(head, list);
    const tools = renderToolsWithin(home, cap - units(above) - 1);
    if (tools !== undefined) yield joined(above, tools);
  }
  for (const list of lists) yield joined(head, list, renderToolNames(home));
}
