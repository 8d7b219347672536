import { describe, expect, it } from 'vitest';
import { SCOPE, spec } from '../test/bench-of-blocks.ts';
import { CallTable } from './call-table.ts';
import type { ScopeNode } from './vm/scope-node.ts';

function nodesOf(text: string): readonly ScopeNode[] {
  return JSON.parse(text) as readonly ScopeNode[];
}

describe('CallTable', () => {
  it('writes moves, places with what is in them, and tools', () => {
    const nodes = nodesOf(new CallTable().write(SCOPE).scope);
    expect(nodes.map(({ name }) => name).join(' ')).toBe('home back up nav source my_notes read write edit grep now');
    const source = nodes.find(({ name }) => name === 'source');
    expect(source?.members.map(({ name, shown }) => [name, shown])).toEqual([
      ['read', 'source.read(target)'],
      ['tests', 'source.tests() -- navigate to source.tests'],
    ]);
  });

  it('gives every callable a number that it keeps', () => {
    const table = new CallTable();
    const [first] = nodesOf(table.write({ tools: [spec('read', 'target')], spaces: [] }).scope).slice(-1);
    const [second] = nodesOf(table.write({ tools: [spec('find', 'target')], spaces: [] }).scope).slice(-1);
    expect(first?.call).not.toBe(second?.call);
    expect(table.at(first!.call)).toMatchObject({ kind: 'tool', shown: 'read' });
    expect(table.at(second!.call)).toMatchObject({ kind: 'tool', shown: 'find' });
    for (const call of [-1, 1e6, 0.5, Number.NaN]) expect(table.at(call)).toBeUndefined();
  });

  it('names what is a tool and a place once', () => {
    const { names } = new CallTable().write({ tools: [spec('a'), spec('up')], spaces: [{ name: 'a', tools: [] }] });
    expect(names.toSorted()).toEqual(['a', 'back', 'home', 'nav', 'up']);
  });

  it('gives what is in a place the name as well that code writes', () => {
    const tools = [spec('slow-one'), spec('delete'), spec('read'), spec('two-a'), spec('two_a', 'target')];
    const scope = {
      tools,
      spaces: [
        { name: 'new', tools },
        { name: 'new.sub-place', tools: [] },
      ],
    };
    const nodes = nodesOf(new CallTable().write(scope).scope);
    const members = nodes.find(({ name }) => name === 'new_')?.members;
    expect(members?.map(({ name, shown }) => `${name}: ${shown}`)).toEqual([
      'slow-one: new_.slow_one()',
      'delete: new_.delete()',
      'read: new_.read()',
      'two-a: new_.two_a()',
      'two_a: new_.two_a(target)',
      'sub-place: new_.sub_place() -- navigate to new.sub-place',
      'slow_one: new_.slow_one()',
      'delete_: new_.delete()',
      'sub_place: new_.sub_place() -- navigate to new.sub-place',
    ]);
    expect(nodes.filter(({ name }) => name === 'two_a').map(({ shown }) => shown)).toEqual(['two_a(target)']);
  });

  it('writes nothing when nothing has changed', () => {
    const table = new CallTable();
    expect(table.write(SCOPE).scope).not.toBe('');
    expect(table.write(structuredClone(SCOPE)).scope).toBe('');
    expect(table.write({ tools: [spec('delete')], spaces: [] })).toMatchObject({ operators: ['delete'] });
  });

  it('puts a place over a tool of its name in the place above, and a tool here over a place', () => {
    const place = nodesOf(
      new CallTable().write({
        tools: [spec('b', 'target')],
        spaces: [
          { name: 'a', tools: [spec('b')] },
          { name: 'a.b', tools: [] },
          { name: 'b', tools: [] },
        ],
      }).scope,
    ).find(({ name }) => name === 'a');
    expect(place?.members).toMatchObject([{ name: 'b', shown: 'a.b() -- navigate to a.b' }]);
  });
});
