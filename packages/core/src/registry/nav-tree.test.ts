import { describe, expect, it } from 'vitest';
import { defineResourcespace } from '../decorators/resourcespace.ts';
import type { SpaceDefinition } from '../protocol/resourcespace.ts';
import { renderSpaceTree } from './navigation.ts';
import { Registry } from './registry.ts';

interface Tree {
  readonly [name: string]: Tree;
}

function space(name: string, children: Tree = {}): SpaceDefinition {
  return defineResourcespace({
    name,
    description: `About ${name}.`,
    tools: {},
    children: () => Object.fromEntries(Object.entries(children).map(([key, below]) => [key, space(key, below)])),
  });
}

function draw(tree: Tree, at = ''): string {
  const registry = new Registry(space('files'));
  for (const [name, children] of Object.entries(tree)) registry.register(space(name, children));
  return renderSpaceTree(registry, at === '' ? [] : at.split('.'));
}

const siblings = (count: number): Tree =>
  Object.fromEntries(Array.from({ length: count }, (_, index) => [`s${String(index + 1).padStart(2, '0')}`, {}]));

describe('navTree', () => {
  it('shows two levels by name, and where one is', () => {
    const tree = { tasks: {}, source: { meta: {}, deps: {} }, memory: { sessions: {} } };
    expect(draw(tree, 'source.deps')).toBe(
      `home
  memory()
    memory.sessions()
  source()
    source.deps()  <-- you are here
    source.meta()
  tasks()`,
    );
    expect(draw(tree, 'source')).toContain('\n  source()  <-- you are here\n');
    expect(draw(tree).split('\n')[0]).toBe('home  <-- you are here');
  });

  it('is just home when there is nothing else', () => {
    expect(draw({})).toBe('home  <-- you are here');
  });

  it('counts the immediate children of the second level', () => {
    expect(draw({ a: { b: { c: { d: {}, e: {} }, f: {} } } })).toBe(
      `home  <-- you are here
  a()
    a.b()
      +2 more`,
    );
  });

  it('goes down to a deep location and counts what it leaves out at every level', () => {
    const tree = { a: { b: { c: { d: { x: {}, y: {} }, e: {}, g: {} }, f: {} }, h: {} } };
    expect(draw(tree, 'a.b.c.d')).toBe(
      `home
  a()
    a.b()
      a.b.c()
        a.b.c.d()  <-- you are here
          +2 more
        +2 more
      +1 more
    a.h()`,
    );
    expect(draw(tree, 'a.b')).toContain('    a.b()  <-- you are here\n      +2 more\n    a.h()');
  });

  it('shows twelve siblings without a count and the first twelve of more', () => {
    expect(draw(siblings(12)).split('\n').slice(-2)).toEqual(['  s11()', '  s12()']);
    expect(draw(siblings(13)).split('\n').slice(-3)).toEqual(['  s11()', '  s12()', '  +1 more']);
    expect(
      draw({ a: siblings(20) })
        .split('\n')
        .slice(-2),
    ).toEqual(['    a.s12()', '    +8 more']);
  });

  it('shows the branch of the location instead of the twelfth', () => {
    expect(draw(siblings(15), 's14').split('\n').slice(-4)).toEqual([
      '  s10()',
      '  s11()',
      '  s14()  <-- you are here',
      '  +3 more',
    ]);
    expect(draw(siblings(15), 's05').split('\n').slice(-3)).toEqual(['  s11()', '  s12()', '  +3 more']);
    expect(
      draw({ ...siblings(13), z: { y: {} } }, 'z.y')
        .split('\n')
        .slice(-4),
    ).toEqual(['  s11()', '  z()', '    z.y()  <-- you are here', '  +2 more']);
  });

  it('keeps its shape for a location that no longer exists', () => {
    expect(draw(siblings(13), 'gone').split('\n').slice(-2)).toEqual(['  s12()', '  +1 more']);
    expect(draw({ a: { b: {} } }, 'a.x')).toBe('home\n  a()\n    a.b()');
  });
});
