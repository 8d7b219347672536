import type { SpaceDefinition } from '../protocol/resourcespace.ts';
import { dotted } from '../protocol/space-path.ts';
import type { SpacePath } from '../protocol/space-tree.ts';
import { fits } from '../text-size/units.ts';
import { inToolOrder } from '../tool-spec/tool-order.ts';
import { renderCallOutlines, renderDeclarations } from './render-declarations.ts';
import { renderOpenTag } from './render-open-tag.ts';
import { joined } from './render-within.ts';

/** What a display with types should have at most, in units: they can be asked for. */
const TYPED_UNITS = 1200;

/** The place that a display shows. */
export interface AdvancedRequest {
  readonly at: SpacePath;
  readonly space: SpaceDefinition;
  /** False where run blocks are not executed, so that nobody is told of them. Default: true. */
  readonly runBlocks?: boolean | undefined;
}

/** A display of a place and, below it, the other ways to its tools: from elsewhere, and from code. Longest first. */
export function* withAdvanced(display: string, { at, space, runBlocks = true }: AdvancedRequest): Generator<string> {
  const [first] = inToolOrder(Object.keys(space.tools));
  if (first !== undefined) {
    const code = runBlocks ? `; in code <run>await ${first}("…")</run>, its types: <help:run>` : '';
    const hinted = joined(display, `Advanced: from anywhere ${renderOpenTag(first, dotted(at))}${code}`);
    if (runBlocks) {
      const typed = joined(hinted, renderDeclarations(space));
      if (fits(typed, TYPED_UNITS)) yield typed;
      yield joined(hinted, renderCallOutlines(space));
    }
    yield hinted;
  }
  yield display;
}
