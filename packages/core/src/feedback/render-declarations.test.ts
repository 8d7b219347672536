import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { defineResourcespace } from '../decorators/define-resourcespace.ts';
import { tool } from '../decorators/tool.ts';
import type { SpaceDefinition } from '../protocol/resourcespace.ts';
import type { SpaceTree } from '../protocol/space-tree.ts';
import { renderScope } from './render-declarations.ts';

const read = tool('One task.', { target: z.string().default('') }, () => '');
const space = (name: string): SpaceDefinition =>
  defineResourcespace({ name, description: `About ${name}.`, tools: { read } });

/** Places of these names at the root, each with one below. */
function treeWith(...names: readonly string[]): SpaceTree {
  const roots = names.map((name) => space(name));
  const home = space('files');
  return {
    home,
    at: ([name]) => (name === undefined ? home : roots.find((root) => root.name === name)),
    below: ({ length }) => (length === 0 ? roots : length === 1 ? [space('deps')] : []),
  };
}

describe('what code can call', () => {
  it('is the tools of the place, every place with its tools, and the moves', () => {
    expect(renderScope(treeWith('source'), ['source'], 2000)).toBe(
      `// <run> blocks: TypeScript, top-level await, variables stay; the value of the last line is shown. Calls answer the texts of tags, cut in the same way.
declare function read(target?: string): Promise<string>; // One task.
declare const source: {
  (): Promise<string>; // go to source
  read(target?: string): Promise<string>; // One task.
  deps: {
    (): Promise<string>; // go to source.deps
    read(target?: string): Promise<string>; // One task.
  };
};
declare function home(): Promise<string>; // and back(), up(), nav()`,
    );
  });

  it('names places without their tools where there are many', () => {
    const names = Array.from({ length: 30 }, (_, index) => `place${index}`);
    const text = renderScope(treeWith(...names), [], 1200);
    expect(text).toContain('declare const place0, place1, place2, ');
    expect(text).toContain(', … 6 more: Place; // place0.read("…"), place0()');
    expect(text.length).toBeLessThanOrEqual(1200);
  });
});
