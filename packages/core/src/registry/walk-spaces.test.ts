import { describe, expect, it } from 'vitest';
import { defineResourcespace } from '../decorators/resourcespace.ts';
import { tool } from '../decorators/tool.ts';
import type { SpaceDefinition, SpaceSource } from '../protocol/resourcespace.ts';
import { Registry } from './registry.ts';

type Children = () => Readonly<Record<string, SpaceSource>>;

function space(name: string, tools: readonly string[], children: Children = () => ({})): SpaceDefinition {
  const named = Object.fromEntries(tools.map((verb) => [verb, tool('x', {}, () => '')]));
  return defineResourcespace({ name, description: `About ${name}.`, tools: named, children });
}

describe('the names a text may mention', () => {
  it('are the spaces, root ones first, and the tools that are no verbs', () => {
    const registry = new Registry(space('files', ['read', 'undo'], () => ({ notes: space('notes', ['jot']) })));
    registry.register(space('tasks', ['read', 'done'], () => ({ old: space('old', ['reopen', 'done']) })));
    const { spaces, tools } = registry.names();
    expect([...spaces]).toEqual(['home', 'tasks', 'notes', 'old']);
    expect([...tools]).toEqual(['help', 'undo', 'jot', 'done', 'reopen']);
    expect([tools.has('reopen'), tools.has('read'), tools.has('nope')]).toEqual([true, false, false]);
    expect([spaces.has('notes'), spaces.has('old'), spaces.has('home'), spaces.has('nope')]).toEqual([
      true,
      true,
      true,
      false,
    ]);
  });

  it('are listed in full after some were asked for', () => {
    const registry = new Registry(space('files', ['undo', 'redo']));
    const { tools } = registry.names();
    expect(tools.has('undo')).toBe(true);
    expect([...tools]).toEqual(['help', 'undo', 'redo']);
    expect([...tools]).toEqual(['help', 'undo', 'redo']);
  });

  it('are found at the roots without asking any space for its children', () => {
    let asked = 0;
    const registry = new Registry(space('files', []));
    const children = () => {
      asked++;
      return {};
    };
    for (let index = 0; index < 1000; index++) registry.register(space(`space${index}`, [`tool${index}`], children));
    const { spaces, tools } = registry.names();
    expect(spaces.has('space999')).toBe(true);
    expect(tools.has('tool999')).toBe(true);
    expect(asked).toBe(0);
  });

  it('are looked for in every space only once, however many unknown names are asked for', () => {
    let asked = 0;
    const registry = new Registry(space('files', []));
    const children = () => {
      asked++;
      return {};
    };
    for (let index = 0; index < 50; index++) registry.register(space(`space${index}`, [], children));
    const { tools } = registry.names();
    for (let index = 0; index < 1000; index++) tools.has(`nope${index}`);
    expect(asked).toBe(50);
  });

  it('end for a space that lists itself many times below itself', () => {
    const self: SpaceDefinition = space('self', ['loop'], () => ({ a: self, b: self, c: self, d: self, e: self }));
    const registry = new Registry(space('files', []));
    registry.register(self);
    expect(registry.names().tools.has('nope')).toBe(false);
  });
});
