import { describe, expect, it } from 'vitest';
import { SCOPE, spec } from '../../test/bench-of-blocks.ts';
import type { ScopeNode } from '../messages.ts';
import { CalleeTable, formatMember, toPlaceExpression } from './callee-table.ts';

function nodesOf(text: string): readonly ScopeNode[] {
  return JSON.parse(text) as readonly ScopeNode[];
}

describe('CalleeTable', () => {
  it('writes moves, places with what is in them, and tools', () => {
    const nodes = nodesOf(new CalleeTable().encode(SCOPE).scope);
    expect(nodes.map(({ name }) => name).join(' ')).toBe(
      'home back up nav where source my_notes read write edit grep now',
    );
    const source = nodes.find(({ name }) => name === 'source');
    expect(source?.members.map(({ name, signature }) => [name, signature])).toEqual([
      ['read', 'source.read(target)'],
      ['tests', 'source.tests() -- navigate to source.tests'],
    ]);
  });

  it('gives every callable a number that it keeps', () => {
    const table = new CalleeTable();
    const [first] = nodesOf(table.encode({ tools: [spec('read', 'target')], spaces: [] }).scope).slice(-1);
    const [second] = nodesOf(table.encode({ tools: [spec('find', 'target')], spaces: [] }).scope).slice(-1);
    expect(first?.callee).not.toBe(second?.callee);
    expect(table.at(first!.callee)).toMatchObject({ kind: 'tool', path: 'read' });
    expect(table.at(second!.callee)).toMatchObject({ kind: 'tool', path: 'find' });
    for (const call of [-1, 1e6, 0.5, Number.NaN]) expect(table.at(call)).toBeUndefined();
  });

  it('names what is a tool and a place once', () => {
    const { names } = new CalleeTable().encode({ tools: [spec('a'), spec('up')], spaces: [{ name: 'a', tools: [] }] });
    expect(names.toSorted()).toEqual(['a', 'back', 'home', 'nav', 'up', 'where']);
  });

  it('gives members of a place the name that code writes, too', () => {
    const tools = [spec('slow-one'), spec('delete'), spec('read'), spec('two-a'), spec('two_a', 'target')];
    const scope = {
      tools,
      spaces: [
        { name: 'new', tools },
        { name: 'new.sub-place', tools: [] },
      ],
    };
    const nodes = nodesOf(new CalleeTable().encode(scope).scope);
    const members = nodes.find(({ name }) => name === 'new_')?.members;
    expect(members?.map(({ name, signature }) => `${name}: ${signature}`)).toEqual([
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
    expect(nodes.filter(({ name }) => name === 'two_a').map(({ signature }) => signature)).toEqual(['two_a(target)']);
  });

  it('writes nothing when nothing has changed', () => {
    const table = new CalleeTable();
    expect(table.encode(SCOPE).scope).not.toBe('');
    expect(table.encode(structuredClone(SCOPE)).scope).toBe('');
    expect(table.encode({ tools: [spec('delete')], spaces: [] })).toMatchObject({ operators: ['delete'] });
  });

  it('puts a place over a tool of its name in the parent, and a tool of the current place over a place', () => {
    const place = nodesOf(
      new CalleeTable().encode({
        tools: [spec('b', 'target')],
        spaces: [
          { name: 'a', tools: [spec('b')] },
          { name: 'a.b', tools: [] },
          { name: 'b', tools: [] },
        ],
      }).scope,
    ).find(({ name }) => name === 'a');
    expect(place?.members).toMatchObject([{ name: 'b', signature: 'a.b() -- navigate to a.b' }]);
  });
});

describe('toPlaceExpression', () => {
  it.each([
    ['source', 'source'],
    ['new', 'new_'],
    ['my-notes.old-ones.new', 'my_notes.old_ones.new'],
    ['a.2fa', 'a["2fa"]'],
  ])('writes %s as %s', (place, path) => {
    expect(toPlaceExpression(place)).toBe(path);
  });
});

describe('formatMember', () => {
  it.each([
    ['read', '.read'],
    ['delete', '.delete'],
    ['slow-one', '.slow_one'],
    ['2-fa', '["2-fa"]'],
  ])('writes %s as %s', (name, member) => {
    expect(formatMember(name)).toBe(member);
  });
});
