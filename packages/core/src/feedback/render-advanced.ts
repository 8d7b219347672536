import type { SpaceDefinition } from '../protocol/resourcespace.ts';
import { dotted, type SpacePath } from '../protocol/space-path.ts';
import { codeName } from '../tool-spec/declaration.ts';
import { inToolOrder } from '../tool-spec/tool-table.ts';
import { renderDeclarations } from './render-declarations.ts';
import { renderOpenTag } from './render-open-tag.ts';
import { joined } from './render-within.ts';

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
    const hinted = joined(display, `Advanced: from anywhere ${renderOpenTag(first, dotted(at))}`);
    if (runBlocks) {
      const inCode = `${hinted}; in code <run>await ${codeName(first)}("…")</run>`;
      yield `${inCode}:\n${renderDeclarations(space)}`;
      yield `${inCode}, its types: <help:run>`;
    }
    yield hinted;
  }
  yield display;
}
