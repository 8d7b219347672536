import type { OpenSpace } from './open-space.ts';
import { readingCalls } from './trials.ts';
import { wholeText } from './whole-text.ts';

/** Everything that others can see of a space, as text: its state, its counts, what it answers to reading. */
export async function snapshot(open: OpenSpace): Promise<string> {
  const { definition } = open;
  const calls = (await readingCalls(open)).filter(({ tool }) => ['read', 'glob', 'grep'].includes(tool));
  // All that is looked at is looked at beforehand, so that looking is part of every snapshot alike.
  const parts = [
    await open.ask('enter()', () => definition.enter()),
    JSON.stringify(await open.ask('status()', () => definition.status?.())),
  ];
  for (const call of calls) parts.push(`${JSON.stringify(call)}\n${wholeText(await open.call(call))}`);
  return parts.join('\n\n');
}

/** The first line in which two snapshots differ, as the end of a sentence; undefined when they are the same. */
export function difference(before: string, after: string): string | undefined {
  if (before === after) return undefined;
  const lines = [before.split('\n'), after.split('\n')] as const;
  const at = lines[0].findIndex((line, index) => line !== lines[1][index]);
  const place = at === -1 ? lines[0].length : at;
  return `before: ${shown(lines[0][place])}, after: ${shown(lines[1][place])}`;
}

function shown(line: string | undefined): string {
  return line === undefined ? '(nothing)' : JSON.stringify(line.slice(0, 120));
}
