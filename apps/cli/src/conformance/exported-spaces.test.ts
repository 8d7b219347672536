import { defineResourcespace, resourcespace, type SpaceDefinition } from '@bae/core';
import { pluginModule } from '@bae/plugins';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { listExportedSpaces } from './exported-spaces.ts';

const space = (name: string): SpaceDefinition =>
  defineResourcespace({ name, description: 'One of several.', tools: {} });

@resourcespace({ name: 'shelf', description: 'A shelf.' })
class Shelf {
  enter(): string {
    return 'empty';
  }
}

const made = (exports: Readonly<Record<string, unknown>>) => listExportedSpaces(pluginModule('sample', exports), []);
const namesOf = (exports: Readonly<Record<string, unknown>>) => made(exports).map(({ name }) => name);

describe('the spaces that a module exports', () => {
  it('are classes, instances and records, by the names of the exports', () => {
    const exports = { Shelf, shelf: new Shelf(), tickets: space('tickets'), limit: 3 };
    expect(namesOf(exports)).toEqual(['Shelf', 'shelf', 'tickets']);
    expect(made(exports)[0]?.make([])).toBe(Shelf);
  });

  it('are those of a list, by their own names', () => {
    expect(namesOf({ spaces: [space('a'), Shelf], ignored: space('other') })).toEqual(['a', 'Shelf']);
  });

  it('count once, under the name that is not default', () => {
    const tickets = space('tickets');
    expect(namesOf({ default: tickets, tickets })).toEqual(['tickets']);
    expect(namesOf({ tickets, default: tickets, again: tickets })).toEqual(['tickets']);
  });

  it('are what a function makes, with the defaults of its options, anew each time', () => {
    const options = z.object({ names: z.array(z.string()).default(['one', 'two']) });
    const spaces = ({ names }: z.output<typeof options>) => names.map(space);
    const [one, two] = made({ options, spaces });
    expect([one?.name, two?.name]).toEqual(['one', 'two']);
    expect(one?.make([])).not.toBe(one?.make([]));
    expect(two?.make([])).toMatchObject({ name: 'two' });
  });

  it('are what a function makes of what each of them is given', () => {
    const spaces = (_options: unknown, provided: ReadonlyMap<string, string>) => [
      space(provided.get('name') ?? 'none'),
    ];
    const [one] = listExportedSpaces(pluginModule('sample', { spaces }), [{ token: 'name', value: 'named' }]);
    expect(one?.name).toBe('named');
    expect(one?.make([{ token: 'name', value: 'other' }])).toMatchObject({ name: 'other' });
  });

  it('are what a function makes without options, also a single one', () => {
    expect(namesOf({ spaces: () => space('alone'), ignored: space('other') })).toEqual(['alone']);
  });

  it('are tried with the example of their author, where defaults are not enough', () => {
    const options = z.object({ key: z.string() }).meta({ examples: [{ key: 'one' }] });
    expect(namesOf({ options, spaces: ({ key }: z.output<typeof options>) => space(key) })).toEqual(['one']);
  });

  it('cannot be had when options are required', () => {
    const options = z.object({ key: z.string() });
    expect(() => made({ options, spaces: () => [] })).toThrow('its spaces need options: key: ');
  });
});
