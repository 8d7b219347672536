import type { SpaceDefinition } from '../protocol/resourcespace.ts';
import type { ToolSpec } from '../protocol/tool-definition.ts';
import { SHORT_TAGS } from '../protocol/verbs.ts';
import { isWithinUnits, countUnits } from '../text-size/units.ts';
import { renderExampleLine, sortToolNames, renderToolSpecs } from '../tool-spec/tool-table.ts';

/** Names that a line of tool names has at most. */
const MOST_NAMES = 12;

/**
 * How to call the tools of a place, their table, and one literal example.
 *
 * @param mostRows of the table; where it has more, a line says how to see the rest
 */
export function renderTools(space: SpaceDefinition, mostRows = Infinity): string {
  const [first] = listToolNames(space);
  if (first === undefined) return 'No tools here.';
  const table = renderToolTable(space).split('\n');
  const hidden = Math.max(0, table.length - 2 - mostRows);
  const more = hidden > 0 ? [`+${hidden} more: <help:>`] : [];
  const rows = table.slice(0, table.length - hidden);
  return [`Tools act here: type ${renderOpenTag(first)}`, ...rows, ...more, renderExampleLine(getSpecs(space))].join(
    '\n',
  );
}

/** The same in at most `room` units; undefined when not even one row of the table fits. */
export function renderToolsWithin(space: SpaceDefinition, room: number): string | undefined {
  const whole = renderTools(space);
  if (isWithinUnits(whole, room)) return whole;
  let left = room - countUnits(renderTools(space, 0));
  let count = 0;
  for (const row of renderToolTable(space).split('\n').slice(2)) {
    left -= countUnits(row) + 1;
    if (left < 0) break;
    count++;
  }
  return count > 0 ? renderTools(space, count) : undefined;
}

/** The names of the tools of a place as one line. */
export function renderToolNames(space: SpaceDefinition): string {
  const names = listToolNames(space);
  if (names.length === 0) return 'Tools: none';
  const hidden = names.length - MOST_NAMES;
  const more = hidden > 0 ? `, +${hidden} more` : '';
  return `Tools: ${names.slice(0, MOST_NAMES).join(', ')}${more} (full list: help)`;
}

export function renderToolTable(space: SpaceDefinition): string {
  return renderToolSpecs(getSpecs(space), { style: 'tag' });
}

/** A call with its argument left out: `<R:…>`, or `<tasks.R:…>` with the prefix `tasks`. */
export function renderOpenTag(tool: string, prefix = ''): string {
  const name = Object.hasOwn(SHORT_TAGS, tool) ? SHORT_TAGS[tool as keyof typeof SHORT_TAGS] : tool;
  return prefix === '' ? `<${name}:…>` : `<${prefix}.${name}:…>`;
}

/** The names of a space's tools in the order in which tools are listed. */
export function listToolNames({ tools }: SpaceDefinition): readonly string[] {
  return sortToolNames(Object.keys(tools));
}

function getSpecs({ tools }: SpaceDefinition): Readonly<Record<string, ToolSpec>> {
  return Object.fromEntries(Object.entries(tools).map(([name, { spec }]) => [name, spec]));
}
