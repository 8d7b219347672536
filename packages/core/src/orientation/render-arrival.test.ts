import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { defineResourcespace } from '../decorators/resourcespace.ts';
import { tool } from '../decorators/tool.ts';
import type { Move, SpaceTree } from '../protocol/space-path.ts';
import type { SpaceDefinition } from '../protocol/resourcespace.ts';
import { fingerprintSpace, renderArrival, renderMove } from './render-place.ts';

const TARGET = z.string().meta({ examples: ['login'] });

function space(tools: readonly string[], state = '4 tasks\nthe rest'): SpaceDefinition {
  const named = tools.map((verb) => [verb, tool(`What ${verb} gives.`, { target: TARGET }, () => '')]);
  return defineResourcespace({
    name: 'tasks',
    description: 'Manage todo lists.',
    tools: Object.fromEntries(named),
    enter: () => state,
  });
}

const TASKS = space(['read', 'write', 'grep']);
const treeOf = (root: SpaceDefinition, children: readonly SpaceDefinition[] = []): SpaceTree => ({
  home: space([]),
  at: ([name]) => (name === undefined ? space([], '') : name === 'tasks' ? root : undefined),
  below: ({ length }) => (length === 0 ? [root] : children),
});
const to = (path: readonly string[], from: readonly string[] = ['source']): Move => ({ from, to: path, moved: true });
const seen = new Map([['tasks', fingerprintSpace(TASKS, [])]]);
const enter = (tree: SpaceTree, more: object = {}) => renderArrival({ tree, move: to(['tasks']), cap: 2000, ...more });

describe('renderArrival', () => {
  it('shows a place whole the first time', async () => {
    expect(await enter(treeOf(TASKS))).toBe(
      `Left source -> entering tasks
home > tasks -- Manage todo lists.
4 tasks
the rest
<R:target>  -- What read gives.
<W:target></W>  -- What write gives.
<Grep:target>  -- What grep gives.
Example: <Grep:login>`,
    );
  });

  it('is short for a place the session has seen', async () => {
    expect(await enter(treeOf(TASKS), { seen })).toBe(
      `Left source -> entering tasks
home > tasks
4 tasks
Tools: read, write, grep (full list: <help:>)`,
    );
  });

  it('is whole again when tools or subspaces have changed, and only then', async () => {
    const renamed = { ...space(['read']), name: 'old' };
    expect(await enter(treeOf(space(['read', 'write'])), { seen })).toContain('<W:target>');
    expect(await enter(treeOf(TASKS, [renamed]), { seen })).toContain('tasks.old()');
    expect(await enter(treeOf(space(['read', 'write', 'grep'], 'other state')), { seen })).not.toContain('<R:target>');
  });

  it('is one line when nothing moved', async () => {
    const move = { from: ['tasks'], to: ['tasks'], moved: false };
    expect(await enter(treeOf(TASKS), { move })).toBe('Already in tasks.');
  });

  it('is always whole at home', async () => {
    const text = await enter(treeOf(TASKS), { move: to([], ['tasks']), seen: new Map([['home', '']]) });
    expect(text).toMatch(
      /^Left tasks -> home\nhome\n4 tasks\nthe rest\nSpaces:\n {2}tasks\(\) -- Manage todo lists\.\n/,
    );
  });

  it('keeps to the cap when it is short', async () => {
    const long = treeOf(space(['read', 'write', 'grep'], 'x'.repeat(5000)));
    const text = await enter(long, { seen });
    expect(text.split('\n')[2]).toHaveLength(237);
    expect((await enter(long, { seen, cap: 100 })).length).toBeLessThanOrEqual(100);
  });

  it('refuses a place that has disappeared since', async () => {
    await expect(enter(treeOf(TASKS), { move: to(['gone']) })).rejects.toThrow('gone no longer exists.');
  });
});

const path = (dotted: string) => (dotted === '' ? [] : dotted.split('.'));
const line = (from: string, to: string) => renderMove({ from: path(from), to: path(to), moved: from !== to });

describe('renderMove', () => {
  it('names what is left and what is entered', () => {
    expect(line('', 'source')).toBe('Entering source');
    expect(line('', 'source.meta')).toBe('Entering source.meta');
    expect(line('source', 'tasks')).toBe('Left source -> entering tasks');
    expect(line('source.meta', 'source')).toBe('Left source.meta -> entering source');
    expect(line('source.meta', '')).toBe('Left source.meta -> home');
  });

  it('reports when nothing moved', () => {
    expect(line('source.meta', 'source.meta')).toBe('Already in source.meta.');
    expect(line('', '')).toBe('Already in home.');
  });
});
