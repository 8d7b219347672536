import type { Agent } from '@bae/core';
import type { Entry } from '@bae/store';
import { MOVES } from '../shell/shell-input.ts';
import { makeLineVisible, truncate } from '../terminal/terminal-text.ts';

/** Lists what a line may name at this location, with its type and its purpose: tools, places and moves. */
export function listNameable({ tree, location }: Pick<Agent, 'tree' | 'location'>): readonly string[] {
  const rows = [
    ...Object.values(tree.at(location)?.tools ?? {}).map(({ name, description }) => [
      name,
      'tool',
      takeSummary(description),
    ]),
    ...tree.below([]).map(({ name, description }) => [`${name}()`, 'place', takeSummary(description)]),
    ...MOVES.map((name) => [`${name}()`, 'move', '']),
  ];
  const widths = [0, 1].map((column) => Math.max(...rows.map((row) => row[column]!.length)));
  return rows.map((row) => `  ${row.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join('  ')}`.trimEnd());
}

/** Renders kept entries, oldest first, as one line each: `[ai:input] Where is the port set?` */
export function renderEntries(entries: readonly Entry[], columns: number): readonly string[] {
  return entries.map(({ channel, direction, content }) =>
    truncate(`[${channel}:${direction}] ${makeLineVisible(content.trim())}`, columns),
  );
}

function takeSummary(text: string): string {
  return makeLineVisible(text.split('\n', 1)[0]!);
}
