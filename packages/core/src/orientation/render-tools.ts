import type { SpaceDefinition } from '../protocol/resourcespace.ts';
import type { ToolSpec } from '../protocol/tool-definition.ts';
import { SHORT_TAGS } from '../protocol/verbs.ts';
import { isWithinUnits, countUnits } from '../text-size/units.ts';
import { makeExampleCall } from '../tool-spec/example-call.ts';
import { renderExampleLine, sortToolNames, renderToolSpecs } from '../tool-spec/tool-table.ts';

/** Names that a line of tool names has at most. */
const MOST_NAMES = 12;

/** Units that the names of tools without a line of their own may take. */
const NAMES_UNITS = 400;

/** The tools of a place, one line each as they are typed, and one literal example. */
export function renderTools(space: SpaceDefinition): string {
  return renderToolsWithin(space, Infinity) ?? '';
}

/**
 * The same in at most `room` units: where not all fit, the tools that only read come first, and the others are named
 * behind `Also:`. Undefined when not even one line fits.
 */
export function renderToolsWithin(space: SpaceDefinition, room: number): string | undefined {
  const names = listToolNames(space);
  if (names.length === 0) return isWithinUnits('No tools here.', room) ? 'No tools here.' : undefined;
  const lines = new Map(
    names.map((name) => [name, renderToolSpecs({ [name]: space.tools[name]!.spec }, { style: 'tag' })]),
  );
  const example = renderExampleLine(getSpecs(space), ({ name }, known = {}) =>
    makeExampleCall({ definition: space.tools[name]!, known }),
  );
  const whole = [...lines.values(), example].join('\n');
  if (isWithinUnits(whole, room)) return whole;
  const byEffect = names.toSorted((a, b) => Number(changes(space, a)) - Number(changes(space, b)));
  for (let count = names.length - 1; count > 0; count--) {
    const kept = new Set(byEffect.slice(0, count));
    const shown = names.filter((name) => kept.has(name)).map((name) => lines.get(name)!);
    const others = renderOtherNames(names.filter((name) => !kept.has(name)));
    const text = [...shown, others, example].join('\n');
    if (isWithinUnits(text, room)) return text;
  }
  return undefined;
}

function changes({ tools }: SpaceDefinition, name: string): boolean {
  return tools[name]!.effect !== 'read';
}

/** `Also: name, name`; a line that says how to see the rest where they are too many. */
function renderOtherNames(names: readonly string[]): string {
  let left = NAMES_UNITS - countUnits('Also: , +000 more: <help:>');
  const shown = names.filter((name) => (left -= countUnits(name) + 2) >= 0);
  const hidden = names.length - shown.length;
  return `Also: ${shown.join(', ')}${hidden > 0 ? `, +${hidden} more: <help:>` : ''}`;
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
