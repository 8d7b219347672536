import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { defineResourcespace } from '../decorators/resourcespace.ts';
import { tool } from '../decorators/tool.ts';
import type { SpaceDefinition } from '../protocol/resourcespace.ts';
import type { SpacePath, SpaceTree } from '../protocol/space-path.ts';
import { countUnits } from '../text-size/text-size.ts';
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

const HEAD = `// <run> blocks: TypeScript, top-level await, no import, variables stay; print(x) and the value of the last line are shown. Calls answer what tags do, uncut: "" or [] where nothing was found, lines without numbers.
type int = number; type Answer = Promise<any>; // text, or data of a tool that has some
declare function read(target?: string): Answer; // One task.`;
const MOVES = 'declare const back: () => Answer, up: () => Answer, nav: () => Answer;';
const MOVES_AT_HOME = MOVES.replace('back', 'home: () => Answer, back');

/** The most that is too little for everything. */
function capBelowAll(tree: SpaceTree): number {
  const all = renderScope(tree, [], 9000);
  let cap = countUnits(all);
  while (renderScope(tree, [], cap) !== all) cap++;
  while (renderScope(tree, [], cap) === all) cap--;
  return cap;
}

describe('what code can call', () => {
  it('is the tools of the place, every place with its tools, and the moves', () => {
    expect(renderScope(treeWith('source'), ['source'], 2000)).toBe(
      `${HEAD}
declare const home: {
  (): Answer; // go to home
  read(target?: string): Answer; // One task.
};
declare const source: {
  (): Answer; // go to source
  read(target?: string): Answer; // One task.
  deps: {
    (): Answer; // go to source.deps
    read(target?: string): Answer; // One task.
  };
};
${MOVES}`,
    );
  });

  it('does not have home apart at home', () => {
    expect(renderScope(treeWith(), [], 2000)).toBe(`${HEAD}\n${MOVES_AT_HOME}`);
  });

  it('names those places without their tools that have most of them, where all would be too much', () => {
    const all = renderScope(treeWith('source'), ['source'], 2000);
    expect(renderScope(treeWith('source'), ['source'], countUnits(all) - 1)).toBe(
      `${HEAD}
declare const home: {
  (): Answer; // go to home
  read(target?: string): Answer; // One task.
};
type Place = any; declare const source: Place; // source.read("…"), source(); also source.deps
${MOVES}`,
    );
  });

  it('names them whatever their order', () => {
    const below: SpaceTree['below'] = (path) => ['deps', 'docs'].slice(path.length).map((name) => space(name));
    const two = treeWith('longer', 'b');
    const tree = { ...two, below: (path: SpacePath) => (path.length === 0 ? two.below(path) : below(path)) };
    const text = renderScope(tree, [], capBelowAll(tree));
    expect(text).toContain('declare const b: {\n');
    expect(text).toContain('declare const longer: Place;');
  });

  it('names many places as far as there is room', () => {
    const names = Array.from({ length: 30 }, (_, index) => `place${index}`);
    const text = renderScope(treeWith(...names), [], 1500);
    expect(text).toContain('type Place = any; declare const place0: Place, place1: Place, place2: Place, ');
    expect(text).toContain(', place23: Place; // place0.read("…"), place0(), … 6 more; also place0.deps, ');
    expect(countUnits(text)).toBeLessThanOrEqual(1500);
  });

  it('writes the names of what is below as code has to', () => {
    const tree = treeWith(...Array.from({ length: 30 }, (_, index) => `place${index}`));
    const below: SpaceTree['below'] = (path) => (path.length === 1 ? [space('of-it')] : tree.below(path));
    expect(renderScope({ ...tree, below }, [], 1500)).toContain('; also place0.of_it, ');
  });

  it('is at least the tools of the place', () => {
    const names = Array.from({ length: 30 }, (_, index) => `place${index}`);
    expect(renderScope(treeWith(...names), [], 480)).toBe(`${HEAD}\n${MOVES_AT_HOME}`);
    expect(renderScope(treeWith(...names), [], 80)).toBe(HEAD.split('\n')[2]);
  });
});
