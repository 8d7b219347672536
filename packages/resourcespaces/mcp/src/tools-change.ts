import { createHash } from 'node:crypto';
import type { Tool } from '@modelcontextprotocol/client';
import { reduceToLetters } from './tool-result.ts';

/** A tool that a server has in addition, otherwise, or no more than what the user allowed. */
export interface ChangedTool {
  readonly kind: 'new' | 'changed' | 'removed';
  readonly tool: Tool;
}

/** Differences between the tools that the user allowed and those that a server has now, by kind. */
export type ToolsChange = readonly ChangedTool[];

/** Returns a SHA-256 of everything about tools that the user allows. */
export function hashTools(tools: readonly Tool[]): string {
  const parts = tools.toSorted((a, b) => (a.name < b.name ? -1 : 1)).map(pickAllowed);
  return createHash('sha256').update(JSON.stringify(parts)).digest('hex');
}

/** Compares tools by name. */
export function diffTools(allowed: readonly Tool[], current: readonly Tool[]): ToolsChange {
  const before = new Map(allowed.map((tool) => [tool.name, JSON.stringify(pickAllowed(tool))]));
  const names = new Set(current.map(({ name }) => name));
  const added = current.filter(({ name }) => !before.has(name));
  const changed = current.filter(
    (tool) => before.has(tool.name) && before.get(tool.name) !== JSON.stringify(pickAllowed(tool)),
  );
  const removed = allowed.filter(({ name }) => !names.has(name));
  return [
    ...added.map((tool) => ({ kind: 'new', tool }) as const),
    ...changed.map((tool) => ({ kind: 'changed', tool }) as const),
    ...removed.map((tool) => ({ kind: 'removed', tool }) as const),
  ];
}

/** Longest list of names in a sentence; the rest is counted. */
const MOST_NAMES = 6;

/**
 * Renders a change in one line: `new: a, b; removed: c`. The names are cut down to letters, because they are the
 * server's own words.
 */
export function describeToolsChange(change: ToolsChange): string {
  if (change.length === 0) return 'what differs is not known';
  const kinds = Map.groupBy(change, ({ kind }) => kind);
  return Array.from(kinds, ([kind, tools]) => `${kind}: ${nameSome(tools)}`).join('; ');
}

function nameSome(tools: ToolsChange): string {
  const shown = tools.slice(0, MOST_NAMES).map(({ tool: { name } }) => reduceToLetters(name));
  return tools.length > MOST_NAMES ? `${shown.join(', ')} and ${tools.length - MOST_NAMES} more` : shown.join(', ');
}

function pickAllowed({ name, description, inputSchema, annotations }: Tool): readonly unknown[] {
  return [name, description, inputSchema, annotations];
}
