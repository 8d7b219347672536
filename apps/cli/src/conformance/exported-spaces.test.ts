import { defineResourcespace, type SpaceDefinition } from '@bae/core';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { exportedSpaces } from './exported-spaces.ts';

const space = (name: string): SpaceDefinition =>
  defineResourcespace({ name, description: 'One of several.', tools: {} });

class Shelf {
  enter(): string {
    return 'empty';
  }
}

function namesOf(exports: Readonly<Record<string, unknown>>): readonly string[] {
  return exportedSpaces(exports).map(({ name }) => name);
}

describe('the spaces that a module exports', () => {
  it('are classes, instances and records, by themselves or in a list', () => {
    const exports = { Shelf, shelf: new Shelf(), tickets: space('tickets'), more: [space('a'), space('b')] };
    expect(namesOf(exports)).toEqual(['Shelf', 'shelf', 'tickets', 'more[0]', 'more[1]']);
    expect(exportedSpaces(exports)[0]?.make()).toBe(Shelf);
  });

  it('are nothing else', () => {
    class ShelfError extends Error {}
    expect(namesOf({ ShelfError, limit: 3, nothing: null, create: () => space('x'), enter: 'here' })).toEqual([]);
  });

  it('count once, under the name that is not default', () => {
    const tickets = space('tickets');
    expect(namesOf({ default: tickets, tickets })).toEqual(['tickets']);
    expect(namesOf({ tickets, default: tickets, again: tickets })).toEqual(['tickets']);
  });

  it('are what a function makes, with the defaults of its options, anew each time', () => {
    const options = z.object({ names: z.array(z.string()).default(['one', 'two']) });
    const spaces = ({ names }: z.output<typeof options>) => names.map(space);
    const [one, two] = exportedSpaces({ options, spaces });
    expect([one?.name, two?.name]).toEqual(['one', 'two']);
    expect(one?.make()).not.toBe(one?.make());
    expect(two?.make()).toMatchObject({ name: 'two' });
  });

  it('are what a function makes without options, also a single one', () => {
    expect(namesOf({ spaces: () => space('alone'), ignored: space('other') })).toEqual(['alone']);
  });

  it('cannot be had when options are required', () => {
    const options = z.object({ key: z.string() });
    expect(() => exportedSpaces({ options, spaces: () => [] })).toThrow('its spaces need options: key: ');
  });
});
