import { createAgent, type SpaceDefinition, type ToolDefinition } from '@bae/core';
import { renderToolSpecs, countUnits } from '@bae/core/pipeline';
import { listPlaces, listAllTools, type Place } from '../open-space.ts';
import { quoteFirstLine, quoteAnything } from '../quote.ts';
import type { Findings, SpaceCheckSpec } from '../run-check.ts';

/** Longest description of a space and its group, in characters, and longest state, in lines. */
const DESCRIPTION = 100;
const GROUP = 40;
const STATE_LINES = 3;

/** Whether the space can be entered, and a newcomer learns from it how to use it. */
export const DESCRIPTION_CHECKS: readonly SpaceCheckSpec[] = [
  {
    name: 'can be made, registered and entered',
    opens: true,
    look({ definition, agent }, findings) {
      const isEntered = agent.location.join('.') === definition.name;
      findings.expect(isEntered, `@${definition.name}() does not lead to it. Give it a name that a tag can contain.`);
    },
  },
  {
    name: 'has a name, and a description of one line',
    look(open, findings) {
      for (const place of listPlaces(open)) checkIdentity(place, findings);
    },
  },
  {
    name: 'shows its state in a line or two',
    async look(open, findings) {
      const { definition } = open;
      checkState(await open.runMember('enter()', () => definition.enter()), findings);
      if (definition.status === undefined) return;
      checkCounts(await open.runMember('status()', () => definition.status!()), findings);
    },
  },
  {
    name: 'lists spaces below it that can be entered',
    async look(open, findings) {
      const { definition, agent } = open;
      const readNames = () => open.runMember('children()', () => Object.keys(definition.children()));
      const listed = await readNames();
      const isSteady = listed.join() === (await readNames()).join();
      const unsteady = 'children() lists other spaces each time. List what there is, in one order.';
      if (listed.length > 0 && !findings.expect(isSteady, unsteady)) return;
      const reached = agent.tree.below([definition.name]);
      for (const name of listed) {
        const child = reached.find((one) => one.name === name);
        const unreachable = `${name} is listed by children() and cannot be entered. Name it with letters, digits, _ and -, unlike a verb.`;
        if (!findings.expect(child !== undefined, unreachable)) continue;
        const { description } = child!;
        findings.expect(
          !description.startsWith('unavailable:'),
          `${name} below it is ${quoteFirstLine(description)} Fix that space.`,
        );
      }
    },
  },
  {
    name: 'describes what every tool returns',
    look(open, findings) {
      for (const { tool, name } of listAllTools(open)) checkDescription(tool, name, findings);
    },
  },
  {
    name: 'documents every parameter',
    look(open, findings) {
      for (const { tool, name } of listAllTools(open)) checkParameters(tool, name, findings);
    },
  },
  {
    name: 'keeps its table and its entry within the budget',
    async look(open, findings) {
      for (const place of listPlaces(open)) await checkBudget(place, findings);
    },
  },
];

function checkIdentity({ path, space }: Place, findings: Findings): void {
  const { name, description, group, tools } = space;
  const { length } = Array.from(description);
  findings.expect(
    length <= DESCRIPTION,
    `the description of ${path} has ${length} characters, at most ${DESCRIPTION} are meant. Keep what a newcomer needs to choose it.`,
  );
  const repeats = keepLetters(description) === keepLetters(name);
  findings.expect(!repeats, `the description of ${path} only repeats its name. Say what is in it, and for whom.`);
  findings.expect(!/\bTODO\b/.test(description), `the description of ${path} is still to be written.`);
  findings.expect(
    group === undefined || isGroup(group),
    `group: expected a heading of one line; got ${quoteAnything(group)}.`,
  );
  findings.expect(
    isUsable(space),
    `${path} has no tools, and no spaces below it. Give it ${Object.keys(tools).length === 0 ? 'a read' : 'one'}.`,
  );
}

function keepLetters(text: string): string {
  return text.toLowerCase().replaceAll(/[^a-z0-9]/g, '');
}

function isUsable(space: SpaceDefinition): boolean {
  return Object.keys(space.tools).length > 0 || Object.keys(space.children()).length > 0;
}

function isGroup(group: unknown): boolean {
  return typeof group === 'string' && group.trim() !== '' && group.length <= GROUP && !group.includes('\n');
}

function checkState(state: unknown, findings: Findings): void {
  const isText = typeof state === 'string';
  if (!findings.expect(isText, `enter() gave ${quoteAnything(state)}. Return a text: '3 open tickets'.`)) return;
  const text = String(state);
  const lines = text.split('\n').length;
  findings.expect(
    lines <= STATE_LINES,
    `enter() gives ${lines} lines; at most ${STATE_LINES} are allowed. Show what matters now; the rest belongs in read.`,
  );
  findings.expect(!text.includes('| Tool |'), 'enter() lists the tools. Leave them out: bae adds their table.');
}

function checkCounts(counts: unknown, findings: Findings): void {
  const remedy = 'Return counts by label: { open: 3 }.';
  const isRecord = typeof counts === 'object' && counts !== null && !Array.isArray(counts);
  if (!findings.expect(isRecord, `status() gave ${quoteAnything(counts)}. ${remedy}`)) return;
  for (const [label, count] of Object.entries(counts as object)) {
    findings.expect(
      Number.isInteger(count) && count >= 0,
      `status() gave ${quoteAnything(count)} for ${label}. ${remedy}`,
    );
  }
}

/** Longest first line of a tool's description, and longest explanation of a parameter, in characters. */
const FIRST_LINE = 120;
const EXPLANATION = 100;
/** Units of the table and of the whole entry that five tools may take, and each further tool. */
const TABLE = { five: 900, more: 160 };
const ENTRY = { five: 1200, more: 160, most: 2000 };
/** Tokens in which every entry fits. */
const UNCUT = 100_000;

const DESCRIBES_ACTION =
  /^(this|returns?|gets?|reads|lists|fetches|searches|finds|shows|creates|writes|updates|deletes|closes|adds|removes|sets|edits|runs|replaces|opens|sends)\b(?! of\b)/i;
const COMMANDS_ACTION =
  /^(read|list|fetch|search|find|show|create|write|update|delete|close|add|remove|set|edit|run|replace|open|send)\s+(a|an|the|all|every|each|one|some|this|your)\b/i;

function checkDescription({ description }: ToolDefinition, name: string, findings: Findings): void {
  const lines = description.split('\n').map((line) => line.trim());
  const at = lines.findIndex((line) => line !== '');
  const first = lines[at] ?? '';
  const subject = `the description of ${name}`;
  const remedy = "Say what comes back, for example 'The open tickets, one a line.'";
  if (!findings.expect(first !== '', `${name} has no description. ${remedy}`)) return;
  findings.expect(first.split(/\s+/).length > 1, `${subject} is one word. ${remedy}`);
  const isAction = DESCRIBES_ACTION.test(first) || COMMANDS_ACTION.test(first);
  findings.expect(!isAction, `${subject} says what the tool does: '${first}'. ${remedy}`);
  const { length } = Array.from(first);
  findings.expect(
    length <= FIRST_LINE,
    `${subject} has ${length} characters on its first line, at most ${FIRST_LINE} are meant. Put the rest on further lines.`,
  );
  const isWhole = lines.slice(at + 1).every((line) => line === '') || /[.!?:]$/.test(first);
  findings.expect(isWhole, `${subject} breaks off at '${first}': tables show its first line. End a sentence there.`);
}

function checkParameters({ spec }: ToolDefinition, name: string, findings: Findings): void {
  for (const { name: param, doc, type } of spec.params) {
    const remedy = `Add .describe('…') to ${param}, a few words on one line: what it is, which values.`;
    const text = doc?.trim() ?? '';
    if (!findings.expect(text !== '', `${name}: nothing explains ${param} (${type}). ${remedy}`)) continue;
    const repeats = text.toLowerCase() === param.toLowerCase();
    findings.expect(!repeats, `${name}: the explanation of ${param} only repeats its name. ${remedy}`);
    const isShort = Array.from(text).length <= EXPLANATION && !text.includes('\n');
    findings.expect(
      isShort,
      `${name}: the explanation of ${param} is longer than one line of ${EXPLANATION} characters.`,
    );
  }
}

async function checkBudget({ path, space }: Place, findings: Findings): Promise<void> {
  const tools = Object.values(space.tools);
  const more = Math.max(0, tools.length - 5);
  const remedy =
    'Shorten the state and the descriptions, leave out parameters nobody needs, or put tools into a space below it.';
  const table = countUnits(
    renderToolSpecs(Object.fromEntries(tools.map(({ name, spec }) => [name, spec])), { style: 'tag' }),
  );
  const mostTable = TABLE.five + TABLE.more * more;
  findings.expect(
    table <= mostTable,
    `the tool table of ${path} has ${table} units, at most ${mostTable} are meant. ${remedy}`,
  );
  const copy = { ...space, enter: () => space.enter(), children: () => space.children() };
  const entry = countUnits(await createAgent({ spaces: [copy], cap: UNCUT }).describe([space.name]));
  const mostEntry = Math.min(ENTRY.five + ENTRY.more * more, ENTRY.most);
  findings.expect(
    entry <= mostEntry,
    `entering ${path} shows ${entry} units, at most ${mostEntry} are meant. ${remedy}`,
  );
}
