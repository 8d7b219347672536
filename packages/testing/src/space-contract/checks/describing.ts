import type { ToolDefinition } from '@bae/core';
import { toolTable, units } from '@bae/core/pipeline';
import { createAgent } from '@bae/core';
import type { Findings } from '../findings.ts';
import { placesOf, toolsOf, type Place } from '../places.ts';
import type { SpaceCheckSpec } from '../space-check.ts';

/** Longest first line of a description, and longest explanation of a parameter, in characters. */
const FIRST_LINE = 120;
const EXPLANATION = 100;
/** Units of the table and of the whole entry that five tools may take, and each tool more. */
const TABLE = { five: 900, more: 160 };
const ENTRY = { five: 1200, more: 160, most: 2000 };
/** Tokens in which every entry finds room. */
const UNCUT = 100_000;

const TELLS_WHAT_IT_DOES =
  /^(this|returns?|gets?|reads|lists|fetches|searches|finds|shows|creates|writes|updates|deletes|closes|adds|removes|sets|edits|runs|replaces|opens|sends)\b(?! of\b)/i;
const COMMANDS_SOMETHING =
  /^(read|list|fetch|search|find|show|create|write|update|delete|close|add|remove|set|edit|run|replace|open|send)\s+(a|an|the|all|every|each|one|some|this|your)\b/i;

/** Whether a newcomer learns from the space how it is used. */
export const DESCRIBING: readonly SpaceCheckSpec[] = [
  {
    name: 'says of every tool what comes back',
    async look(bench, findings) {
      for (const { tool, name } of toolsOf(placesOf(await bench.open()))) checkDescription(tool, name, findings);
    },
  },
  {
    name: 'documents every parameter',
    async look(bench, findings) {
      for (const { tool, name } of toolsOf(placesOf(await bench.open()))) checkParameters(tool, name, findings);
    },
  },
  {
    name: 'keeps its table and its entry within the budget',
    async look(bench, findings) {
      for (const place of placesOf(await bench.open())) await checkSize(place, findings);
    },
  },
];

function checkDescription({ description }: ToolDefinition, name: string, findings: Findings): void {
  const lines = description.split('\n').map((line) => line.trim());
  const at = lines.findIndex((line) => line !== '');
  const first = lines[at] ?? '';
  const example = "for example 'The open tickets, one a line.'";
  if (!findings.expect(first !== '', `${name} has no description. Say what comes back, ${example}`)) return;
  findings.expect(
    first.split(/\s+/).length > 1,
    `the description of ${name} is one word. Say what comes back, ${example}`,
  );
  const tells = TELLS_WHAT_IT_DOES.test(first) || COMMANDS_SOMETHING.test(first);
  findings.expect(
    !tells,
    `the description of ${name} says what the tool does: '${first}'. Say what comes back, ${example}`,
  );
  const { length } = Array.from(first);
  findings.expect(length <= FIRST_LINE, tooLong(`the description of ${name}`, length, FIRST_LINE));
  const isWhole = lines.slice(at + 1).every((line) => line === '') || /[.!?:]$/.test(first);
  findings.expect(
    isWhole,
    `the description of ${name} breaks off at '${first}': tables show its first line. End a sentence there.`,
  );
}

function checkParameters({ spec }: ToolDefinition, name: string, findings: Findings): void {
  for (const { name: param, doc, type } of spec.params) {
    const remedy = `Add .describe('…') to ${param}, a few words on one line: what it is, which values.`;
    const text = doc?.trim() ?? '';
    if (!findings.expect(text !== '', `${name}: nothing explains ${param} (${type}). ${remedy}`)) continue;
    const repeats = text.toLowerCase() === param.toLowerCase();
    findings.expect(!repeats, `${name}: the explanation of ${param} only repeats its name. ${remedy}`);
    const fits = Array.from(text).length <= EXPLANATION && !text.includes('\n');
    findings.expect(fits, `${name}: the explanation of ${param} is longer than one line of ${EXPLANATION} characters.`);
  }
}

async function checkSize({ path, space }: Place, findings: Findings): Promise<void> {
  const tools = Object.values(space.tools);
  const more = Math.max(0, tools.length - 5);
  const table = units(toolTable(Object.fromEntries(tools.map(({ name, spec }) => [name, spec])), { style: 'tag' }));
  const forTable = TABLE.five + TABLE.more * more;
  const shorten =
    'Shorten the state and the descriptions, leave out parameters nobody needs, or put tools into a space below it.';
  findings.expect(
    table <= forTable,
    `the tool table of ${path} has ${table} units, at most ${forTable} are meant. ${shorten}`,
  );
  const agent = createAgent({
    spaces: [{ ...space, enter: () => space.enter(), children: () => space.children() }],
    cap: UNCUT,
  });
  const entry = units(await agent.describe([space.name]));
  const forEntry = Math.min(ENTRY.five + ENTRY.more * more, ENTRY.most);
  findings.expect(
    entry <= forEntry,
    `entering ${path} shows ${entry} units, at most ${forEntry} are meant. ${shorten}`,
  );
}

function tooLong(what: string, length: number, most: number): string {
  return `${what} has ${length} characters on its first line, at most ${most} are meant. Put the rest on further lines.`;
}
