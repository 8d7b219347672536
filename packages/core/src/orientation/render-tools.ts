import type { SpaceDefinition } from '../protocol/resourcespace.ts';
import { INDICATOR_RESERVE } from '../protocol/limits.ts';
import type { ToolDefinition, ToolSpec } from '../protocol/tool-definition.ts';
import { getTagName } from '../protocol/verbs.ts';
import { countUnits, chooseVersion, isWithinLimit, joinFirst, truncateUnits } from '../text-size/text-size.ts';
import { makeExampleCall } from '../tool-spec/example-call.ts';
import { nameTakenType } from '../tool-spec/derive-spec.ts';
import { renderSignature } from '../tool-spec/signature.ts';
import { renderExampleLine, renderToolHelp, renderToolSpecs, sortToolNames } from '../tool-spec/tool-table.ts';

const MOST_NAMES = 12;

/** Length from which names are grouped by their first word, in units: this takes less room but is harder to read. */
const NAMES_UNITS = 400;

/** First word of a name with the separator that follows it: `get_` of `get_issue`. */
const FIRST_WORD = /^.[A-Za-z0-9]*[_-](?=.)/;

/** Kind of tools that get a line of their own first: those that only read, or the others. */
type LineOrder = 'reading' | 'changing';

/** Renders the tools of a place, one per line as they are typed, and one literal example. */
export function renderTools(space: SpaceDefinition): string {
  return renderToolsWithin(space, () => true) ?? '';
}

/**
 * Renders the same in a text that fits. If that is too long, descriptions are left out first, then the types of
 * optional parameters; then the tools that only read come first, and the others are named after `Also:`. Returns
 * undefined if not even one line fits; if the names alone are too many, renders as many as fit.
 */
export function renderToolsWithin(space: SpaceDefinition, fits: (text: string) => boolean): string | undefined {
  const names = listToolNames(space);
  if (names.length === 0) return fits('No tools here.') ? 'No tools here.' : undefined;
  return renderLinesWithin(space, fits, 'reading') ?? renderSomeNames(space, fits);
}

/**
 * Renders the tools of a place on request: those that change something get a line first, and all are at least named.
 */
export function renderToolList(space: SpaceDefinition, cap: number): string {
  const names = listToolNames(space);
  if (names.length === 0) return renderTools(space);
  const lines = renderLinesWithin(space, (text) => isWithinLimit(text, cap), 'changing');
  return (
    lines ?? `${names.length} tools; <help:NAME> explains one, <help:WORD> lists those with it: ${joinToolNames(names)}`
  );
}

/** Renders every tool with its line or at least its name, and an example. */
function renderLinesWithin(
  space: SpaceDefinition,
  fits: (text: string) => boolean,
  order: LineOrder,
): string | undefined {
  const names = listToolNames(space);
  const example = renderExample(space);
  let shortest: ReadonlyMap<string, string> = new Map();
  for (const lines of listLineVersions(space, names)) {
    const whole = [...lines.values(), example].join('\n');
    if (fits(whole)) return whole;
    shortest = lines;
  }
  return findMostTools({ space, order, least: 1 }, fits, (kept, others) => {
    const lines = kept.map((name) => shortest.get(name)!);
    return [...lines, `Also: ${joinToolNames(others)}`, example].join('\n');
  });
}

/** Finds the longest text that fits with lines for some of the tools, but not all: fewer tools make a shorter text. */
function findMostTools(
  { space, order, least }: { readonly space: SpaceDefinition; readonly order: LineOrder; readonly least: number },
  fits: (text: string) => boolean,
  render: (kept: readonly string[], others: readonly string[]) => string,
): string | undefined {
  const names = listToolNames(space);
  const isLater = (name: string) => (space.tools[name]!.effect !== 'read') === (order === 'reading');
  const ranked = names.toSorted((a, b) => Number(isLater(a)) - Number(isLater(b)));
  let longest: string | undefined;
  let [from, to] = [least, names.length - 1];
  while (from <= to) {
    const count = (from + to) >> 1;
    const first = new Set(ranked.slice(0, count));
    const text = render(
      names.filter((name) => first.has(name)),
      names.filter((name) => !first.has(name)),
    );
    if (fits(text)) [longest, from] = [text, count + 1];
    else to = count - 1;
  }
  return longest;
}

function* listLineVersions(
  { tools }: SpaceDefinition,
  names: readonly string[],
): Generator<ReadonlyMap<string, string>> {
  const makeLines = (makeLine: (spec: ToolSpec) => string) =>
    new Map(names.map((name) => [name, makeLine(tools[name]!.spec)]));
  yield makeLines((spec) => renderToolSpecs({ [spec.name]: spec }, { style: 'tag' }));
  yield makeLines((spec) => renderSignature(spec, { style: 'tag' }));
  yield makeLines((spec) => renderSignature(spec, { style: 'tag', optional: 'names' }));
}

/** Renders as many names as fit, those of tools that only read first, and an example. */
function renderSomeNames(space: SpaceDefinition, fits: (text: string) => boolean): string | undefined {
  const example = renderExample(space);
  return findMostTools({ space, order: 'reading', least: MOST_NAMES + 1 }, fits, (kept, others) => {
    return `Tools: ${joinToolNames(kept)}, +${others.length} more: <help:>\n${example}`;
  });
}

/** Renders the line with an example of the tools of a place; empty if it has none. */
export function renderExample(space: SpaceDefinition): string {
  return renderExampleLine(getSpecs(space), ({ name }, known = {}) =>
    makeExampleCall({ definition: space.tools[name]!, known }),
  );
}

/** Help on a tool, and the full help if it is too long to show. */
export interface ShownHelp {
  readonly text: string;
  readonly whole?: string;
}

/**
 * Maximum lengths of a description, of each parameter's description and of each type, in units, in increasingly short
 * versions of the help on a tool.
 */
const DOC_UNITS = [
  [600, 120, 400],
  [240, 80, 240],
  [120, 40, 120],
  [120, 0, 80],
  [0, 0, 60],
  [0, 0, 0],
] as const;

/** Renders the full help on one tool; if that is too long, its signature and example with shorter descriptions. */
export function renderToolHelpWithin(definition: ToolDefinition, cap: number): ShownHelp {
  const { spec } = definition;
  const example = makeExampleCall({ definition, known: {} });
  const whole = renderToolHelp(spec, example, nameTypes(definition, true));
  if (isWithinLimit(whole, cap)) return { text: whole };
  const types = nameTypes(definition, false);
  const versions = DOC_UNITS.map(([docUnits, paramUnits, typeUnits]) => {
    const short = Array.from(types, ([name, type]) => [name, truncateUnits(type, typeUnits)] as const);
    return renderToolHelp(shortenDocs(spec, docUnits, paramUnits), example, new Map(typeUnits === 0 ? [] : short));
  });
  versions.unshift(renderToolHelp(spec, example, types));
  // For a tool with dozens of parameters, both signatures are too long.
  versions.push(`${renderSignature(spec, { style: 'tag' })}\nExample: ${example}`);
  return { text: chooseVersion(versions, cap - INDICATOR_RESERVE, isWithinLimit), whole };
}

/** Returns the full types of the parameters that take JSON, by name. */
function nameTypes({ spec, params, isLazy }: ToolDefinition, hasDocs: boolean): ReadonlyMap<string, string> {
  if (isLazy === true) return new Map();
  const nested = spec.params.filter(({ type }) => type === 'json');
  return new Map(
    nested.flatMap(({ name }) => {
      const schema = params._zod.def.shape[name];
      const type = schema === undefined ? 'unknown' : nameTakenType(schema, hasDocs);
      return type === 'unknown' ? [] : [[name, type] as const];
    }),
  );
}

function shortenDocs(spec: ToolSpec, docUnits: number, paramUnits: number): ToolSpec {
  const params = spec.params.map(({ doc, ...param }) => {
    return doc === undefined || paramUnits === 0 ? param : { ...param, doc: truncateUnits(doc, paramUnits) };
  });
  return { ...spec, doc: docUnits === 0 ? '' : truncateUnits((spec.doc ?? '').trim(), docUnits), params };
}

/**
 * Joins names: `name, name`; if they are many, names with the same first word are grouped: `get_{issue label} search`.
 */
function joinToolNames(names: readonly string[]): string {
  const list = names.join(', ');
  if (countUnits(list) <= NAMES_UNITS) return list;
  const groups = Map.groupBy(names, (name) => FIRST_WORD.exec(name)?.[0] ?? name);
  const parts = [...groups].map(([word, members]) => {
    const rests = members.map((name) => name.slice(word.length));
    return members.length === 1 ? members[0]! : `${word}{${rests.join(' ')}}`;
  });
  return parts.join(' ');
}

export function renderToolNames(space: SpaceDefinition): string {
  const names = listToolNames(space);
  if (names.length === 0) return 'Tools: none';
  return `Tools: ${joinFirst(names, MOST_NAMES)} (full list: <help:>)`;
}

export function renderToolTable(space: SpaceDefinition): string {
  return renderToolSpecs(getSpecs(space), { style: 'tag' });
}

/** Renders a call without its argument: `<R:…>`, or `<tasks.R:…>` with the prefix `tasks`. */
export function renderOpenTag(tool: string, prefix = ''): string {
  return `<${prefix === '' ? '' : `${prefix}.`}${getTagName(tool)}:…>`;
}

/** Returns the names of a space's tools in the order in which they are listed. */
export function listToolNames({ tools }: SpaceDefinition): readonly string[] {
  return sortToolNames(Object.keys(tools));
}

function getSpecs({ tools }: SpaceDefinition): Readonly<Record<string, ToolSpec>> {
  return Object.fromEntries(Object.entries(tools).map(([name, { spec }]) => [name, spec]));
}
