import { array, assert, constantFrom, letrec, oneof, property, record, string } from 'fast-check';
import { describe, expect, it } from 'vitest';
import { defineResourcespace } from '../decorators/resourcespace.ts';
import { BaeError } from '../errors/bae-error.ts';
import type { SpaceDefinition } from '../protocol/resourcespace.ts';
import { Navigation } from './navigation.ts';
import { Registry } from './registry.ts';
import { formatSpacePath } from '../protocol/space-path.ts';

/** Children by name; changing it changes the tree. */
interface Tree {
  [name: string]: Tree;
}

function space(name: string, below: () => Tree): SpaceDefinition {
  return defineResourcespace({
    name,
    description: `About ${name}.`,
    tools: {},
    children: () => Object.fromEntries(Object.keys(below()).map((key) => [key, space(key, () => below()[key] ?? {})])),
  });
}

const start = (tree: Tree): Navigation => new Navigation(new Registry(space('files', () => tree)));

function walk(navigation: Navigation, ...steps: readonly string[]): readonly string[] {
  return steps.map((step) => {
    try {
      navigation.go(step);
    } catch (error) {
      if (!BaeError.is(error)) throw error;
    }
    return formatSpacePath(navigation.location);
  });
}

const PROJECT: Tree = { source: { config: {}, deps: {}, meta: {} }, tasks: {}, memory: { sessions: { today: {} } } };

describe('going', () => {
  it('enters spaces by dotted and by relative names', () => {
    expect(walk(start(PROJECT), 'source', 'meta', 'deps', 'memory.sessions', 'today')).toEqual([
      'source',
      'source.meta',
      'source.deps',
      'memory.sessions',
      'memory.sessions.today',
    ]);
  });

  it('always stands on the shortest path from home', () => {
    expect(walk(start(PROJECT), 'source.config', 'source.deps')).toEqual(['source.config', 'source.deps']);
  });

  it('tells where it was and where it is', () => {
    const navigation = start(PROJECT);
    expect(navigation.go('source.meta')).toEqual({ from: [], to: ['source', 'meta'], moved: true });
    expect(navigation.go('home')).toEqual({ from: ['source', 'meta'], to: [], moved: true });
  });

  it('nowhere leaves no trace', () => {
    const navigation = start(PROJECT);
    walk(navigation, 'source', 'meta');
    expect(navigation.go('source.meta')).toEqual({ from: ['source', 'meta'], to: ['source', 'meta'], moved: false });
    expect(navigation.go('meta').moved).toBe(false);
    expect(walk(navigation, 'back', 'back', 'back')).toEqual(['source', 'home', 'home']);
  });

  it('wrong changes nothing', () => {
    expect(walk(start(PROJECT), 'source', 'nope', 'source.nope', '', 'back')).toEqual([
      'source',
      'source',
      'source',
      'source',
      'home',
    ]);
  });

  it('may begin anywhere', () => {
    const navigation = new Navigation(new Registry(space('files', () => PROJECT)), ['source']);
    expect(walk(navigation, 'meta', 'back', 'back')).toEqual(['source.meta', 'source', 'source']);
  });
});

describe('back', () => {
  it('returns through the levels of a jump as if they had been walked', () => {
    expect(walk(start(PROJECT), 'source.meta', 'back', 'back', 'back')).toEqual([
      'source.meta',
      'source',
      'home',
      'home',
    ]);
    expect(walk(start(PROJECT), 'memory', 'sessions.today', 'back', 'back', 'back')).toEqual([
      'memory',
      'memory.sessions.today',
      'memory.sessions',
      'memory',
      'home',
    ]);
  });

  it('returns to the place a jump left', () => {
    expect(walk(start(PROJECT), 'source.meta', 'tasks', 'back', 'back', 'back')).toEqual([
      'source.meta',
      'tasks',
      'source.meta',
      'source',
      'home',
    ]);
  });

  it('adds no level that both paths share', () => {
    expect(walk(start(PROJECT), 'source.config', 'source.deps', 'back', 'back', 'back')).toEqual([
      'source.config',
      'source.deps',
      'source.config',
      'source',
      'home',
    ]);
  });

  it('undoes home and up', () => {
    expect(walk(start(PROJECT), 'source.meta', 'home', 'back', 'up', 'back')).toEqual([
      'source.meta',
      'home',
      'source.meta',
      'source',
      'source.meta',
    ]);
  });

  it('stays where there is nothing to go back to', () => {
    expect(start(PROJECT).go('back')).toEqual({ from: [], to: [], moved: false });
  });

  it('remembers twenty places', () => {
    const navigation = start(PROJECT);
    walk(navigation, 'source', ...Array.from({ length: 30 }, (_, index) => (index % 2 === 0 ? 'tasks' : 'memory')));
    const moves = Array.from({ length: 25 }, () => navigation.go('back').moved);
    expect(moves.filter(Boolean)).toHaveLength(20);
    expect(formatSpacePath(navigation.location)).toBe('memory');
  });
});

describe('up and home', () => {
  it('stop at home', () => {
    expect(walk(start(PROJECT), 'source.meta', 'up', 'up', 'up')).toEqual(['source.meta', 'source', 'home', 'home']);
    expect(start(PROJECT).go('up').moved).toBe(false);
    expect(start(PROJECT).go('home').moved).toBe(false);
  });

  it('at home leave no trace', () => {
    expect(walk(start(PROJECT), 'source', 'up', 'up', 'home', 'back', 'back')).toEqual([
      'source',
      'home',
      'home',
      'home',
      'source',
      'home',
    ]);
  });

  it('reach home from any depth', () => {
    expect(walk(start(PROJECT), 'memory.sessions.today', 'home')).toEqual(['memory.sessions.today', 'home']);
  });
});

describe('a space that disappears', () => {
  it('is left for the nearest one above that is still there, and this is said', () => {
    const tree: Tree = { source: { meta: { deep: {} } } };
    const navigation = start(tree);
    navigation.go('source.meta.deep');
    expect(navigation.settle()).toBeUndefined();
    delete tree['source']!['meta'];
    expect(navigation.settle()).toBe(
      'source.meta.deep no longer exists; you are in source now. See what there is: nav()',
    );
    expect(formatSpacePath(navigation.location)).toBe('source');
    expect(navigation.settle()).toBeUndefined();
    delete tree['source'];
    expect(navigation.settle()).toContain('source no longer exists; you are in home now.');
  });

  it('is passed over on the way up and back', () => {
    const tree: Tree = { source: { meta: { deep: {} } }, tasks: {} };
    const navigation = start(tree);
    walk(navigation, 'source.meta.deep', 'tasks');
    delete tree['source']!['meta'];
    expect(walk(navigation, 'back', 'back', 'back')).toEqual(['source', 'home', 'home']);
    tree['source']!['meta'] = { deep: {} };
    walk(navigation, 'source.meta.deep');
    delete tree['source']!['meta'];
    expect(walk(navigation, 'up')).toEqual(['source']);
  });
});

describe('any sequence of steps', () => {
  const name = constantFrom('a', 'b', 'c');
  const { tree } = letrec<{ tree: Tree }>((tie) => ({
    tree: oneof({ maxDepth: 4 }, record({}), record({ a: tie('tree'), b: tie('tree') }, { requiredKeys: [] })),
  }));
  const path = array(name, { minLength: 1, maxLength: 4 }).map((names) => names.join('.'));
  const steps = array(oneof(path, constantFrom('back', 'up', 'home'), string()), { maxLength: 40 });

  it('ends at a place that is there, changes nothing by failing, and can always go back', () => {
    assert(
      property(tree, steps, (spaces, targets) => {
        const registry = new Registry(space('files', () => spaces));
        const navigation = new Navigation(registry);
        for (const target of targets) {
          const before = navigation.location;
          try {
            const { from, to, moved } = navigation.go(target);
            expect(from).toEqual(before);
            expect(to).toEqual(navigation.location);
            expect(moved).toBe(formatSpacePath(from) !== formatSpacePath(to));
          } catch (error) {
            expect(BaeError.is(error) && target !== 'back' && target !== 'up' && target !== 'home').toBe(true);
            expect(navigation.location).toBe(before);
          }
          expect(registry.at(navigation.location)).toBeDefined();
        }
        for (let moved = true; moved;) ({ moved } = navigation.go('back'));
        expect(registry.at(navigation.location)).toBeDefined();
      }),
    );
  });

  it('is undone step by step by as many steps back', () => {
    assert(
      property(tree, array(path, { maxLength: 12 }), (spaces, targets) => {
        const navigation = start(spaces);
        const visited = ['home', ...walk(navigation, ...targets)].filter(
          (place, index, all) => place !== all[index - 1],
        );
        const returned = [formatSpacePath(navigation.location)];
        while (navigation.go('back').moved) returned.push(formatSpacePath(navigation.location));
        const wayBack = visited.toReversed();
        let next = 0;
        for (const place of returned) if (place === wayBack[next]) next++;
        // A short history may not reach all the way home.
        if (returned.length <= 20) expect(next).toBe(wayBack.length);
      }),
    );
  });
});
