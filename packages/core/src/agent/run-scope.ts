import type { RunScope } from '../protocol/code-runner.ts';
import { dotted, type SpacePath, type SpaceTree } from '../protocol/space-path.ts';
import type { SpaceDefinition } from '../protocol/resourcespace.ts';
import type { ToolSpec } from '../protocol/tool-definition.ts';
import { callShape } from '../tool-spec/declaration.ts';
import { walkSpaces } from '../registry/walk-spaces.ts';

/** What code can call where a session stands: the tools of that place, and every place with its tools. */
export function runScope(tree: SpaceTree, at: SpacePath): RunScope {
  const here = tree.at(at);
  const places = [{ path: [], space: tree.home }, ...walkSpaces(tree)];
  const spaces = places.map(({ path, space }) => ({ name: dotted(path), tools: specsOf(space) }));
  return { place: dotted(at), tools: here === undefined ? [] : specsOf(here), spaces };
}

function specsOf({ tools }: SpaceDefinition): readonly ToolSpec[] {
  return Object.values(tools).map(({ spec }) => ({ ...spec, params: inCallOrder(spec.params) }));
}

/** As code gives them one after the other. */
function inCallOrder(params: ToolSpec['params']): ToolSpec['params'] {
  const { byPosition, byName } = callShape(params);
  return [...byPosition, ...byName];
}
