import { ORIENTATION_BREADTH, SMALL_WORLD_TOOLS } from '../protocol/limits.ts';
import type { SpaceDefinition } from '../protocol/resourcespace.ts';
import { callable, dotted, type SpacePath, type SpaceTree } from '../protocol/space-path.ts';
import { inToolOrder, toolTable } from '../tool-spec/tool-table.ts';
import { renderOpenTag } from './render-open-tag.ts';

interface Place {
  readonly path: SpacePath;
  readonly space: SpaceDefinition;
}

/**
 * The tool tables of all spaces below home, each with how its tools are called from home. Empty when
 * the spaces have more than a few tools in all: then the way to a table is to enter its space.
 */
export function renderSmallWorld(tree: SpaceTree): string {
  const places = placesWithTools(tree);
  return places.map(({ path, space }) => table(path, space)).join('\n');
}

function placesWithTools(tree: SpaceTree): readonly Place[] {
  const ahead: SpacePath[] = [[]];
  const places: Place[] = [];
  let tools = 0;
  for (const parent of ahead) {
    for (const space of tree.below(parent)) {
      const path = [...parent, space.name];
      const count = Object.keys(space.tools).length;
      tools += count;
      ahead.push(path);
      if (tools > SMALL_WORLD_TOOLS || ahead.length > ORIENTATION_BREADTH) return [];
      if (count > 0) places.push({ path, space });
    }
  }
  return places;
}

function table(path: SpacePath, space: SpaceDefinition): string {
  const specs = Object.fromEntries(Object.entries(space.tools).map(([name, tool]) => [name, tool.spec]));
  const [first] = inToolOrder(Object.keys(specs));
  const head = `${callable(path)} tools, from here as ${renderOpenTag(first!, dotted(path))}:`;
  return `${head}\n${toolTable(specs, { style: 'tag' })}`;
}
