import type { SpaceDefinition } from '@bae/core';
import { firstLine } from '../first-line.ts';
import type { Findings } from '../findings.ts';
import { placesOf, type Place } from '../places.ts';
import type { SpaceCheckSpec } from '../space-check.ts';

/** Longest description and group, in characters, and longest state in lines. */
const DESCRIPTION = 100;
const GROUP = 40;
const STATE_LINES = 3;

const UNSTEADY = 'children() lists other spaces each time. List what there is, in one order.';

/** Whether the space is there at all, and says what it is. */
export const BEING: readonly SpaceCheckSpec[] = [
  {
    name: 'can be made, registered and entered',
    opens: true,
    async look(bench, findings) {
      const { definition, agent } = await bench.open();
      const entered = agent.location.join('.') === definition.name;
      findings.expect(entered, `@${definition.name}() does not lead to it. Give it a name that a tag can say.`);
    },
  },
  {
    name: 'has a name, and a description of one line',
    async look(bench, findings) {
      for (const place of placesOf(await bench.open())) checkIdentity(place, findings);
    },
  },
  {
    name: 'tells its state in a line or two',
    async look(bench, findings) {
      const open = await bench.open();
      const { definition } = open;
      checkState(await open.ask('enter()', () => definition.enter()), findings);
      if (definition.status === undefined) return;
      checkCounts(await open.ask('status()', () => definition.status!()), findings);
    },
  },
  {
    name: 'lists spaces below it that can be entered',
    async look(bench, findings) {
      const open = await bench.open();
      const { definition, agent } = open;
      const names = () => open.ask('children()', () => Object.keys(definition.children()));
      const listed = await names();
      const isSteady = listed.join() === (await names()).join();
      if (listed.length > 0 && !findings.expect(isSteady, UNSTEADY)) return;
      const reached = agent.tree.below([definition.name]);
      for (const name of listed) {
        const child = reached.find((one) => one.name === name);
        if (!findings.expect(child !== undefined, unreachable(name))) continue;
        const { description } = child!;
        findings.expect(
          !description.startsWith('unavailable:'),
          `${name} below it is ${firstLine(description)} Mend that space.`,
        );
      }
    },
  },
];

function checkIdentity({ path, space }: Place, findings: Findings): void {
  const { name, description, group, tools } = space;
  const length = Array.from(description).length;
  findings.expect(length <= DESCRIPTION, tooLong(`the description of ${path}`, length, DESCRIPTION));
  const says =
    description.toLowerCase().replaceAll(/[^a-z0-9]/g, '') !== name.toLowerCase().replaceAll(/[^a-z0-9]/g, '');
  findings.expect(says, `the description of ${path} only repeats its name. Say what is in it, and for whom.`);
  findings.expect(!/\bTODO\b/.test(description), `the description of ${path} is still to be written.`);
  findings.expect(group === undefined || isGroup(group), `group: expected a heading of one line; got ${shown(group)}.`);
  findings.expect(
    isUsable(space),
    `${path} has no tools, and no spaces below it. Give it ${Object.keys(tools).length === 0 ? 'a read' : 'one'}.`,
  );
}

function isUsable(space: SpaceDefinition): boolean {
  return Object.keys(space.tools).length > 0 || Object.keys(space.children()).length > 0;
}

function isGroup(group: unknown): boolean {
  return typeof group === 'string' && group.trim() !== '' && group.length <= GROUP && !group.includes('\n');
}

function checkState(state: unknown, findings: Findings): void {
  if (!findings.expect(typeof state === 'string', `enter() gave ${shown(state)}. Return a text: '3 open tickets'.`))
    return;
  const lines = String(state).split('\n').length;
  findings.expect(lines <= STATE_LINES, tooManyLines(lines));
  findings.expect(
    !String(state).includes('| Tool |'),
    'enter() lists the tools. Leave them out: bae adds their table.',
  );
}

function checkCounts(counts: unknown, findings: Findings): void {
  const remedy = 'Return counts by label: { open: 3 }.';
  const isRecord = typeof counts === 'object' && counts !== null && !Array.isArray(counts);
  if (!findings.expect(isRecord, `status() gave ${shown(counts)}. ${remedy}`)) return;
  for (const [label, count] of Object.entries(counts as object)) {
    findings.expect(Number.isInteger(count) && count >= 0, `status() gave ${shown(count)} for ${label}. ${remedy}`);
  }
}

function tooManyLines(lines: number): string {
  return `enter() gives ${lines} lines; at most ${STATE_LINES} are meant. Tell what counts now; the rest belongs into read.`;
}

function unreachable(name: string): string {
  return `${name} is listed by children() and cannot be entered. Name it with letters, digits, _ and -, unlike a verb.`;
}

function tooLong(what: string, length: number, most: number): string {
  return `${what} has ${length} characters, at most ${most} are meant. Keep what a newcomer needs to choose it.`;
}

function shown(value: unknown): string {
  return JSON.stringify(value) ?? String(value);
}
