import { createHash } from 'node:crypto';
import type { Tool } from '@modelcontextprotocol/client';

/** Differences between the tools that the user allowed and those that a server has now. */
export interface ToolsChange {
  readonly added: readonly Tool[];
  readonly changed: readonly Tool[];
  readonly removed: readonly Tool[];
}

/** Returns a SHA-256 of everything about tools that the user allows. */
export function hashTools(tools: readonly Tool[]): string {
  const parts = tools.toSorted((a, b) => (a.name < b.name ? -1 : 1)).map(pickAllowed);
  return createHash('sha256').update(JSON.stringify(parts)).digest('hex');
}

/** Compares tools by name. */
export function diffTools(allowed: readonly Tool[], current: readonly Tool[]): ToolsChange {
  const before = new Map(allowed.map((one) => [one.name, JSON.stringify(pickAllowed(one))]));
  const names = new Set(current.map(({ name }) => name));
  return {
    added: current.filter(({ name }) => !before.has(name)),
    changed: current.filter((one) => before.has(one.name) && before.get(one.name) !== JSON.stringify(pickAllowed(one))),
    removed: allowed.filter(({ name }) => !names.has(name)),
  };
}

/** Longest list of names in a sentence; the rest is counted. */
const MOST_NAMES = 6;

/**
 * Renders a change in one line: `new: a, b; removed: c`. The names are cut down to letters, because they are the
 * server's own words.
 */
export function describeToolsChange({ added, changed, removed }: ToolsChange): string {
  const kinds = [
    ['new', added],
    ['changed', changed],
    ['removed', removed],
  ] as const;
  const parts = kinds.filter(([, tools]) => tools.length > 0).map(([kind, tools]) => `${kind}: ${nameSome(tools)}`);
  return parts.length === 0 ? 'what differs is not known' : parts.join('; ');
}

function nameSome(tools: readonly Tool[]): string {
  const shown = tools.slice(0, MOST_NAMES).map(({ name }) => name.replaceAll(/[^\w-]+/g, '_').slice(0, 60));
  return tools.length > MOST_NAMES ? `${shown.join(', ')} and ${tools.length - MOST_NAMES} more` : shown.join(', ');
}

function pickAllowed({ name, description, inputSchema, annotations }: Tool): readonly unknown[] {
  return [name, description, inputSchema, annotations];
}
