import type { SpaceDefinition } from '../protocol/resourcespace.ts';
import { fits, units } from '../text-size/units.ts';
import { exampleLine, inToolOrder, toolTable, type ToolSpecs } from '../tool-spec/tool-table.ts';
import { renderOpenTag } from './render-open-tag.ts';

/** Names that a line of tool names has at most. */
const MOST_NAMES = 12;

/** How to call the tools of a place, their table, and one literal example. */
export function renderTools(space: SpaceDefinition): string {
  return section(space, Infinity);
}

/**
 * The same in so many units: the first rows of the table, and how to see the rest. Undefined when not
 * even one row fits.
 */
export function renderToolsWithin(space: SpaceDefinition, room: number): string | undefined {
  const whole = renderTools(space);
  if (fits(whole, room)) return whole;
  let left = room - units(section(space, 0));
  let shown = 0;
  for (const row of tableOf(space).slice(2)) {
    left -= units(row) + 1;
    if (left < 0) break;
    shown++;
  }
  return shown > 0 ? section(space, shown) : undefined;
}

/** The names of the tools of a place as one line. */
export function renderToolNames(space: SpaceDefinition): string {
  const names = inToolOrder(Object.keys(space.tools));
  if (names.length === 0) return 'Tools: none';
  const hidden = names.length - MOST_NAMES;
  const more = hidden > 0 ? `, +${hidden} more` : '';
  return `Tools: ${names.slice(0, MOST_NAMES).join(', ')}${more} (full list: help)`;
}

function section(space: SpaceDefinition, most: number): string {
  const [first] = inToolOrder(Object.keys(space.tools));
  if (first === undefined) return 'No tools here.';
  const table = tableOf(space);
  const hidden = Math.max(0, table.length - 2 - most);
  const more = hidden > 0 ? [`+${hidden} more: <help:>`] : [];
  const shown = table.slice(0, table.length - hidden);
  return [`Tools act here: type ${renderOpenTag(first)}`, ...shown, ...more, exampleLine(specsOf(space))].join('\n');
}

function tableOf(space: SpaceDefinition): readonly string[] {
  return toolTable(specsOf(space), { style: 'tag' }).split('\n');
}

function specsOf(space: SpaceDefinition): ToolSpecs {
  return Object.fromEntries(Object.entries(space.tools).map(([name, tool]) => [name, tool.spec]));
}
