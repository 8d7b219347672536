import type { SpaceDefinition } from '../protocol/resourcespace.ts';
import type { ToolSpec } from '../protocol/tool-definition.ts';
import { inToolOrder } from '../tool-spec/tool-table.ts';

/** What the tools of a space are like, in the order in which tools are listed. */
export function specsInOrder({ tools }: SpaceDefinition): readonly ToolSpec[] {
  return inToolOrder(Object.keys(tools)).flatMap((name) => tools[name]?.spec ?? []);
}
