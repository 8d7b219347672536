import { describe, expect, it } from 'vitest';
import { defineResourcespace } from '../decorators/resourcespace.ts';
import { tool } from '../decorators/tool.ts';
import { ResourceError } from '../errors/bae-error.ts';
import type { SpaceDefinition } from '../protocol/resourcespace.ts';
import { type SpaceTree, parsePath } from '../protocol/space-path.ts';
import { Registry } from './registry.ts';
import { resolveSpace } from './navigation.ts';

interface Tree {
  readonly [name: string]: Tree;
}

function space(name: string, children: Tree = {}, tools: readonly string[] = ['read']): SpaceDefinition {
  return defineResourcespace({
    name,
    description: `About ${name}.`,
    tools: Object.fromEntries(tools.map((verb) => [verb, tool('x', {}, () => '')])),
    children: () => Object.fromEntries(Object.entries(children).map(([key, below]) => [key, space(key, below)])),
  });
}

function treeOf(tree: Tree, homeTools: readonly string[] = []): Registry {
  const registry = new Registry(space('files', {}, homeTools));
  for (const [name, children] of Object.entries(tree)) registry.register(space(name, children));
  return registry;
}

const PROJECT = treeOf({
  source: { config: {}, deps: {}, meta: {}, tests: {} },
  tasks: {},
  memory: { sessions: { today: {} } },
});

function errorOf(target: string, from = 'home', tree: SpaceTree = PROJECT): string {
  try {
    resolveSpace(tree, parsePath(from), target);
  } catch (error) {
    expect(error).toBeInstanceOf(ResourceError);
    const { name, message, hints } = error as ResourceError;
    expect(hints).toEqual([]);
    return `${name}: ${message}`;
  }
  return '';
}

const resolve = (target: string, from = 'home', tree: SpaceTree = PROJECT) =>
  resolveSpace(tree, parsePath(from), target).join('.');

describe('resolveSpace', () => {
  it('finds a space by its dotted name from anywhere', () => {
    expect(resolve('source')).toBe('source');
    expect(resolve('source.meta')).toBe('source.meta');
    expect(resolve('source.meta', 'memory.sessions')).toBe('source.meta');
    expect(resolve('@source.meta()', 'tasks')).toBe('source.meta');
    expect(resolve('home', 'source')).toBe('');
    expect(resolve('home.tasks', 'source')).toBe('tasks');
  });

  it('finds a child of the location, and of what is above it', () => {
    expect(resolve('meta', 'source')).toBe('source.meta');
    expect(resolve('deps', 'source.meta')).toBe('source.deps');
    expect(resolve('sessions.today', 'memory')).toBe('memory.sessions.today');
    expect(resolve('today', 'memory.sessions')).toBe('memory.sessions.today');
  });

  it('prefers a root space, then the nearest', () => {
    const tree = treeOf({ meta: {}, a: { x: { x: {} }, meta: {}, b: { x: {} } } });
    expect(resolve('meta', 'a', tree)).toBe('meta');
    expect(resolve('x', 'a.b', tree)).toBe('a.b.x');
    expect(resolve('x', 'a.x', tree)).toBe('a.x.x');
    expect(resolve('x', 'a.meta', tree)).toBe('a.x');
  });

  it('sticks to the space that the first name means', () => {
    const tree = treeOf({ meta: {}, a: { meta: { deep: {} } } });
    expect(errorOf('meta.deep', 'a', tree)).toBe("ResourceError: no space 'deep' in meta.\nmeta has no subspaces.");
  });
});

describe('a name that is nowhere', () => {
  it('gets the most similar space, whatever the case', () => {
    expect(errorOf('sourc')).toBe("ResourceError: no space 'sourc'.\nDid you mean source()?");
    expect(errorOf('Tasks')).toBe("ResourceError: no space 'Tasks'.\nDid you mean tasks()?");
    expect(errorOf('tsaks', 'source.meta')).toBe("ResourceError: no space 'tsaks'.\nDid you mean tasks()?");
  });

  it('gets a space further down by its full name', () => {
    expect(errorOf('meta')).toBe("ResourceError: no space 'meta'.\nDid you mean source.meta()?");
    expect(errorOf('tody', 'tasks')).toBe("ResourceError: no space 'tody'.\nDid you mean memory.sessions.today()?");
  });

  it('gets the shallower of two as similar, then the one first in the alphabet', () => {
    const tree = treeOf({ b: { cat: {} }, c: { bat: {} }, a: { x: { cat: {} } } });
    expect(errorOf('hat', 'home', tree)).toBe("ResourceError: no space 'hat'.\nDid you mean b.cat()?");
    expect(errorOf('cat', 'a', tree)).toBe("ResourceError: no space 'cat'.\nDid you mean b.cat()?");
    expect(errorOf('rat', 'home', treeOf({ z: { cat: {} }, rot: {} }))).toContain('Did you mean rot()?');
  });

  it('gets what there is when nothing is similar', () => {
    expect(errorOf('zzzzz')).toBe("ResourceError: no space 'zzzzz'.\nAvailable: memory(), source(), tasks()");
    expect(errorOf('zzzzz.meta', 'source')).toBe(
      "ResourceError: no space 'zzzzz'.\nAvailable: memory(), source(), tasks()",
    );
    expect(errorOf('')).toBe("ResourceError: no space ''.\nAvailable: memory(), source(), tasks()");
  });

  it('gets an honest part of a long list', () => {
    const names = Array.from({ length: 30 }, (_, index) => `s${String(index).padStart(2, '0')}`);
    const message = errorOf('zzzzz', 'home', treeOf(Object.fromEntries(names.map((name) => [name, {}]))));
    expect(message).toContain('Available: s00(), s01(),');
    expect(message.endsWith('s23(), +6 more: nav()')).toBe(true);
  });

  it('is told when there is nothing at all', () => {
    expect(errorOf('tasks', 'home', treeOf({}))).toBe("ResourceError: no space 'tasks'.\nNo spaces registered.");
  });

  it('is repeated in part when it is long, and never compared', () => {
    expect(errorOf('x'.repeat(100_000))).toBe(
      `ResourceError: no space '${'x'.repeat(60)}…'.\nAvailable: memory(), source(), tasks()`,
    );
  });
});

describe('a name that is not below a space', () => {
  it('gets the most similar child', () => {
    expect(errorOf('source.mta')).toBe("ResourceError: no space 'mta' in source.\nDid you mean source.meta()?");
    expect(errorOf('sessions.tody', 'memory')).toBe(
      "ResourceError: no space 'tody' in memory.sessions.\nDid you mean memory.sessions.today()?",
    );
  });

  it('gets the children when nothing is similar, and only children', () => {
    expect(errorOf('source.sessions')).toBe(
      "ResourceError: no space 'sessions' in source.\nAvailable: source.config(), source.deps(), source.meta(), source.tests()",
    );
  });

  it('is told when there are no children', () => {
    expect(errorOf('tasks.meta')).toBe("ResourceError: no space 'meta' in tasks.\ntasks has no subspaces.");
    expect(errorOf('source.meta.x.y')).toBe(
      "ResourceError: no space 'x' in source.meta.\nsource.meta has no subspaces.",
    );
  });
});

describe('the name of a tool', () => {
  it('is answered with where to use it', () => {
    expect(errorOf('source.read')).toBe(
      'ResourceError: read is a tool of source, not a space.\nEnter source() and use read there.',
    );
    expect(errorOf('source.meta.read', 'tasks')).toBe(
      'ResourceError: read is a tool of source.meta, not a space.\nEnter source.meta() and use read there.',
    );
    expect(errorOf('meta.read', 'source')).toContain('Enter source.meta() and use read there.');
  });

  it('of the location itself is used right there', () => {
    expect(errorOf('read', 'source')).toBe(
      'ResourceError: read is a tool of source, not a space.\nYou are in source: use read here.',
    );
    expect(errorOf('read', 'home', treeOf({}, ['read']))).toContain('You are in home: use read here.');
  });

  it('of home is used there', () => {
    const tree = treeOf({ tasks: {} }, ['undo']);
    expect(errorOf('undo', 'tasks', tree)).toBe(
      'ResourceError: undo is a tool of home, not a space.\nEnter home() and use undo there.',
    );
  });

  it('does not count in the middle of a path', () => {
    expect(errorOf('tasks.read.x')).toBe("ResourceError: no space 'read' in tasks.\ntasks has no subspaces.");
  });

  it('gives way to a space of the same name', () => {
    const child = space('read2');
    const tree = new Registry(space('files'));
    tree.register({ ...space('docs'), children: () => ({ done: child }), tools: space('x', {}, ['done']).tools });
    expect(resolve('docs.done', 'home', tree)).toBe('docs.done');
  });
});

describe('a deep path', () => {
  const letters = 'abcdefghijk'.split('');
  const nested = letters.toReversed().reduce<Tree>((below, name) => ({ [name]: below }), {});
  const tree = treeOf(nested);

  it('may have ten names', () => {
    expect(resolve(letters.slice(0, 10).join('.'), 'home', tree)).toBe('a.b.c.d.e.f.g.h.i.j');
  });

  it('may not have eleven', () => {
    expect(errorOf(letters.join('.'), 'home', tree)).toBe(
      "ResourceError: 'a.b.c.d.e.f.g.h.i.j.k' is 11 levels deep; a path has at most 10.\nSee what there is: nav()",
    );
    expect(errorOf('c.d.e.f.g.h.i.j.k', 'a.b', tree)).toContain('is 11 levels deep');
    expect(errorOf('k', letters.slice(0, 10).join('.'), tree)).toMatch(/^ResourceError: no space 'k'\./);
  });
});
