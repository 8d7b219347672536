import { createAgent } from '@bae/core';
import { renderToolSpecs, countUnits } from '@bae/core/pipeline';
import {
  listPlaces,
  listAllTools,
  quoteFirstLine,
  type OpenSpace,
  type Place,
  type PlacedTool,
} from '../open-space.ts';
import { asOneSubject, defineCheck, type AsyncFindings, type Findings, type SpaceCheckSpec } from '../run-check.ts';

/** Checks that the space can be entered and shows newcomers how to use it. */
export const DESCRIPTION_CHECKS: readonly SpaceCheckSpec[] = [
  {
    ...defineCheck('can be made, registered and entered', ({ agent }) => [agent.location.join('.')], checkLocation),
    opens: true,
  },
  defineCheck('has a name, and a description of one line', listPlaces, checkIdentity),
  defineCheck('shows its state in a line or two', (open) => [open], checkState),
  defineCheck(
    'lists spaces below it that can be entered',
    async (open) => asOneSubject(await listChildNames(open)),
    checkChildren,
  ),
  defineCheck('describes what every tool returns', listAllTools, checkDescription),
  defineCheck(
    'documents every parameter',
    (open) =>
      listAllTools(open).flatMap(({ tool, name }) => tool.spec.params.map((param) => ({ ...param, tool: name }))),
    checkExplanation,
  ),
  defineCheck('keeps its table and its entry within the budget', listPlaces, checkBudget),
];

function* checkLocation(location: string, { definition: { name } }: OpenSpace): Findings {
  if (location !== name) yield `@${name}() does not lead to it. Give it a name that a tag can contain.`;
}

/** Maximum lengths of a description of a space and of its group, in characters, and of a state, in lines. */
const DESCRIPTION = 100;
const GROUP = 40;
const STATE_LINES = 3;

function* checkIdentity({ path, space }: Place): Findings {
  const { name, description, group, tools } = space;
  const { length } = Array.from(description);
  if (length > DESCRIPTION)
    yield `the description of ${path} has ${length} characters, at most ${DESCRIPTION} are recommended. Keep what a newcomer needs to choose it.`;
  if (keepLetters(description) === keepLetters(name))
    yield `the description of ${path} only repeats its name. Say what is in it, and for whom.`;
  if (/\bTODO\b/.test(description)) yield `the description of ${path} is still to be written.`;
  if (group !== undefined && !isGroup(group))
    yield `group: expected a heading of one line; got ${quoteAnything(group)}.`;
  if (Object.keys({ ...tools, ...space.children() }).length === 0)
    yield `${path} has no tools, and no spaces below it. Give it a read.`;
}

function keepLetters(text: string): string {
  return text.toLowerCase().replaceAll(/[^a-z0-9]/g, '');
}

function isGroup(group: unknown): boolean {
  return typeof group === 'string' && group.trim() !== '' && group.length <= GROUP && !group.includes('\n');
}

async function* checkState({ definition }: OpenSpace, open: OpenSpace): AsyncFindings {
  const state: unknown = await open.runMember('enter()', () => definition.enter());
  if (typeof state === 'string') {
    const lines = state.split('\n').length;
    if (lines > STATE_LINES)
      yield `enter() gives ${lines} lines; at most ${STATE_LINES} are allowed. Show what matters now; the rest belongs in read.`;
    if (state.includes('| Tool |')) yield 'enter() lists the tools. Leave them out: bae adds their table.';
  } else yield `enter() gave ${quoteAnything(state)}. Return a text: '3 open tickets'.`;
  if (definition.status === undefined) return;
  const counts: unknown = await open.runMember('status()', () => definition.status!());
  const remedy = 'Return counts by label: { open: 3 }.';
  if (typeof counts !== 'object' || counts === null || Array.isArray(counts))
    yield `status() gave ${quoteAnything(counts)}. ${remedy}`;
  else
    for (const [label, count] of Object.entries(counts))
      if (!Number.isInteger(count) || (count as number) < 0)
        yield `status() gave ${quoteAnything(count)} for ${label}. ${remedy}`;
}

function listChildNames(open: OpenSpace): Promise<readonly string[]> {
  return open.runMember('children()', () => Object.keys(open.definition.children()));
}

async function* checkChildren(listed: readonly string[], open: OpenSpace): AsyncFindings {
  if (listed.join() !== (await listChildNames(open)).join())
    return 'children() lists different spaces each time. List them in a fixed order.';
  const reached = open.agent.tree.below([open.definition.name]);
  for (const name of listed) {
    const description = reached.find((one) => one.name === name)?.description;
    if (description === undefined)
      yield `${name} is listed by children() but cannot be entered. Name it with letters, digits, _ and -, and not like a verb.`;
    else if (description.startsWith('unavailable:'))
      yield `${name} below it is ${quoteFirstLine(description)} Fix that space.`;
  }
  return undefined;
}

/** Maximum lengths of the first line of a tool's description and of the explanation of a parameter, in characters. */
const FIRST_LINE = 120;
const EXPLANATION = 100;

const DESCRIBES_ACTION =
  /^(this|returns?|gets?|reads|lists|fetches|searches|finds|shows|creates|writes|updates|deletes|closes|adds|removes|sets|edits|runs|replaces|opens|sends)\b(?! of\b)/i;
const COMMANDS_ACTION =
  /^(read|list|fetch|search|find|show|create|write|update|delete|close|add|remove|set|edit|run|replace|open|send)\s+(a|an|the|all|every|each|one|some|this|your)\b/i;

function* checkDescription({ tool: { description }, name }: PlacedTool): Findings {
  const [first = '', ...others] = description.split('\n').flatMap((line) => line.trim() || []);
  const subject = `the description of ${name}`;
  const remedy = "Say what comes back, for example 'The open tickets, one a line.'";
  if (first === '') return `${name} has no description. ${remedy}`;
  if (!/\s/.test(first)) yield `${subject} is one word. ${remedy}`;
  if (DESCRIBES_ACTION.test(first) || COMMANDS_ACTION.test(first))
    yield `${subject} says what the tool does: '${first}'. ${remedy}`;
  const { length } = Array.from(first);
  if (length > FIRST_LINE)
    yield `${subject} has ${length} characters on its first line, at most ${FIRST_LINE} are recommended. Put the rest on further lines.`;
  if (others.length > 0 && !/[.!?:]$/.test(first))
    yield `${subject} breaks off at '${first}': tables show its first line. End a sentence there.`;
  return undefined;
}

type NamedParam = PlacedTool['tool']['spec']['params'][number] & { readonly tool: string };

function* checkExplanation({ tool, name, doc, type }: NamedParam): Findings {
  const remedy = `Add .describe('…') to ${name}, a few words on one line: what it is, which values.`;
  const text = doc?.trim() ?? '';
  if (text === '') return `${tool}: nothing explains ${name} (${type}). ${remedy}`;
  if (text.toLowerCase() === name.toLowerCase())
    yield `${tool}: the explanation of ${name} only repeats its name. ${remedy}`;
  if (Array.from(text).length > EXPLANATION || text.includes('\n'))
    yield `${tool}: the explanation of ${name} is longer than one line of ${EXPLANATION} characters.`;
  return undefined;
}

/** Maximum lengths of the table and of the whole entry, in units: for five tools, and for each further tool. */
const TABLE = { five: 900, more: 160 };
const ENTRY = { five: 1200, more: 160, most: 2000 };
/** Limit in which every entry fits, in tokens. */
const UNCUT = 100_000;

async function* checkBudget({ path, space }: Place): AsyncFindings {
  const tools = Object.values(space.tools);
  const more = Math.max(0, tools.length - 5);
  const remedy =
    'Shorten the state and the descriptions, leave out parameters nobody needs, or put tools into a space below it.';
  const specs = Object.fromEntries(tools.map(({ name, spec }) => [name, spec]));
  const table = countUnits(renderToolSpecs(specs, { style: 'tag' }));
  const mostTable = TABLE.five + TABLE.more * more;
  if (table > mostTable)
    yield `the tool table of ${path} has ${table} units, at most ${mostTable} are recommended. ${remedy}`;
  const copy = { ...space, enter: () => space.enter(), children: () => space.children() };
  const entry = countUnits(await createAgent({ spaces: [copy], cap: UNCUT }).describe([space.name]));
  const mostEntry = Math.min(ENTRY.five + ENTRY.more * more, ENTRY.most);
  if (entry > mostEntry) yield `entering ${path} shows ${entry} units, at most ${mostEntry} are recommended. ${remedy}`;
}

/** Quotes any value, even one that JSON cannot represent. */
function quoteAnything(value: unknown): string {
  return JSON.stringify(value) ?? String(value);
}
