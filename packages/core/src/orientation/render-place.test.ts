import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { defineResourcespace } from '../decorators/resourcespace.ts';
import { tool } from '../decorators/tool.ts';
import type { SpaceDefinition } from '../protocol/resourcespace.ts';
import type { SpacePath, SpaceTree } from '../protocol/space-path.ts';
import { isWithinTokens, countUnits } from '../text-size/text-size.ts';
import { renderPlace } from './render-place.ts';

const TARGET = z.string().meta({ examples: ['login'] });

function space(name: string, tools: readonly string[] = [], more: object = {}): SpaceDefinition {
  const named = tools.map((verb) => [verb, tool(`What ${verb} gives.`, { target: TARGET }, () => '')]);
  return defineResourcespace({ name, description: `About ${name}.`, tools: Object.fromEntries(named), ...more });
}

function childrenOf(parent: SpaceDefinition): readonly SpaceDefinition[] {
  try {
    return Object.values(parent.children()) as SpaceDefinition[];
  } catch {
    return [];
  }
}

/** One root space, and home above it. */
function treeOf(root: SpaceDefinition): SpaceTree {
  const home = space('files', ['read']);
  const at = (path: SpacePath): SpaceDefinition | undefined =>
    path.reduce<SpaceDefinition | undefined>(
      (found, name, depth) => found && below(path.slice(0, depth)).find((one) => one.name === name),
      home,
    );
  const below = (path: SpacePath) => (path.length === 0 ? [root] : childrenOf(at(path) ?? home));
  return { home, at, below };
}

const place = (root: SpaceDefinition, { cap = 2000, at = [root.name] } = {}) =>
  renderPlace({ tree: treeOf(root), at, cap });

const SOURCE = space('source', ['read', 'grep'], {
  description: 'Project code by module and symbol.',
  enter: () => '3 packages, 48 modules',
  children: () => ({ deps: space('deps'), meta: space('meta', ['read']) }),
});

const lineOf = (text: string, start: string) => text.split('\n').find((line) => line.startsWith(start));

const WHOLE = `home > source -- Project code by module and symbol. 3 packages, 48 modules
Subspaces:
  source.deps() -- About deps.
  source.meta() -- About meta.
<R:target>  -- What read gives.
<Grep:target>  -- What grep gives.
Example: <Grep:login>`;

describe('renderPlace', () => {
  it('shows everything about a place, in order', async () => {
    expect(await place(SOURCE)).toBe(WHOLE);
    expect(countUnits(WHOLE)).toBeLessThan(1200);
  });

  it('leaves out tools that can do nothing at the moment, unless all of them can do nothing', async () => {
    const isIdle = (tool?: string) => tool === 'grep';
    const shown = await place({ ...SOURCE, isIdle });
    expect(shown).toBe(WHOLE.replace(/^<Grep.*\nExample: .*$/m, 'Example: <R:login>'));
    expect(await place({ ...SOURCE, isIdle: () => true })).toBe(WHOLE);
    const fail = () => Promise.reject(new Error('no'));
    expect(await place({ ...SOURCE, isIdle: fail })).toBe(WHOLE);
  });

  it('begins with the transition after a move', async () => {
    const request = { tree: treeOf(SOURCE), at: ['source'], cap: 2000, transition: 'Entering source' };
    expect(await renderPlace(request)).toBe(`Entering source\n${WHOLE}`);
  });

  it('leaves out what a space does not have', async () => {
    expect(await place(space('empty'))).toBe('home > empty -- About empty.\nNo tools here.');
  });

  it('shows a place further down by its full name', async () => {
    const text = await place(SOURCE, { at: ['source', 'meta'] });
    expect(text.split('\n')[0]).toBe('home > source > meta -- About meta.');
  });

  it('is the orientation at home', async () => {
    expect(await place(SOURCE, { at: [] })).toMatch(/^home\nSpaces:\n {2}source\(\) -- Project code/);
  });

  it('refuses a path where nothing is', async () => {
    await expect(place(SOURCE, { at: ['source', 'gone'] })).rejects.toThrow(
      'source.gone no longer exists.\nSee what there is: nav()',
    );
  });

  it('names many subspaces without describing them', async () => {
    const children = Object.fromEntries(
      Array.from({ length: 15 }, (_, index) => [`s${10 + index}`, space(`s${10 + index}`)]),
    );
    const text = await place(space('source', [], { children: () => children }));
    expect(text).toContain('\nSubspaces: source.s10(), source.s11(), ');
    expect(text).toContain('source.s21(), +3 more\n');
  });
});

describe('a broken space', () => {
  it('is shown with what it failed at', async () => {
    const broken = space('source', ['read'], {
      enter: () => Promise.reject(new Error('db locked')),
      children: () => {
        throw new TypeError('x is undefined');
      },
    });
    const text = await place(broken);
    expect(text).toContain(
      ' state unavailable: Error: db locked\nSubspaces: unavailable: TypeError: x is undefined\n<R:',
    );
  });

  it('is shown with what children() returned instead', async () => {
    expect(await place(space('source', [], { children: () => null }))).toContain(
      'unavailable: children() returned null',
    );
    expect(await place(space('source', [], { children: () => 7 }))).toContain(
      'unavailable: children() returned number',
    );
  });
});

describe('the cap', () => {
  it('drops descriptions of tools first', async () => {
    const isWhole = async (cap: number) => (await place(SOURCE, { cap })) === WHOLE;
    let size = countUnits(WHOLE);
    while (!(await isWhole(size))) size++;
    const text = await place(SOURCE, { cap: size - 1 });
    expect(text).toMatch(/About meta\.\n<R:target>\n<Grep:target>\nExample: <Grep:login>$/);
  });

  it('then tools, those that change something first, and names them', async () => {
    const tools = Array.from({ length: 99 }, (_, index) => `do_something_${index}`);
    const text = await place(space('many', [...tools, 'read']));
    expect(text).toMatch(/^<R:target>$/m);
    expect(text).toMatch(/^Also: do_/m);
  });

  it('counts tokens too, which may be more than characters say', async () => {
    const terse = space(
      'terse',
      Array.from({ length: 60 }, (_, index) => `x${index}_y${index}_z${index}`),
    );
    const text = await place(terse);
    expect(countUnits(text)).toBeLessThan(1600);
    expect(isWithinTokens(text, 550)).toBe(true);
    expect(text).toContain('\nAlso: ');
  });

  it('then everything but names', async () => {
    expect(await place(SOURCE, { cap: 165 })).toBe(
      `home > source -- Project code by module and symbol. 3 packages, 48 modules
Subspaces: source.deps(), source.meta()
Tools: read, grep (full list: <help:>)`,
    );
  });

  it('leaves a long state no more than its share', async () => {
    const text = await place({ ...SOURCE, enter: () => 'long '.repeat(1000) });
    expect(countUnits(lineOf(text, 'long')!)).toBeLessThanOrEqual(800);
    expect(text).toContain('<Grep:target>');
  });

  it.each([200, 300, 500, 1000, 2000])('of %i units holds whatever a space returns', async (cap) => {
    const tools = Array.from({ length: 60 }, (_, index) => `do_something_${index}`);
    const children = Object.fromEntries(
      tools.map((name) => [name, space(name, [], { description: '日本'.repeat(200) })]),
    );
    const huge = space('huge', tools, {
      description: 'x'.repeat(5000),
      enter: () => '日\n'.repeat(5000),
      children: () => children,
    });
    const text = await place(huge, { cap });
    expect(countUnits(text)).toBeLessThanOrEqual(cap);
    expect(text.startsWith('home > huge -- x')).toBe(true);
  });
});
