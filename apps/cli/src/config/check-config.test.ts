import { describe, expect, it } from 'vitest';
import { explainEntries } from './check-config.ts';

const EXPECTED =
  'expected the name of a package like "tickets", or {"use": "tickets", "as": "support"}; in code also a space';

describe('explainEntries', () => {
  it('accepts names, spaces, and mounts of both', () => {
    const space = { name: 'a', description: 'A.', tools: {}, enter: () => '', children: () => ({}) };
    class TicketsSpace {
      enter = () => '';
    }
    expect(
      explainEntries([
        'tickets',
        space,
        TicketsSpace,
        { use: 'tickets' },
        { use: space, as: 'b' },
        { use: TicketsSpace, under: 'work.old' },
        { use: '@acme/tickets', as: 'c', options: { any: ['thing'] } },
      ]),
    ).toEqual([]);
  });

  it('leaves to others what is no list', () => {
    expect(explainEntries(undefined)).toEqual([]);
    expect(explainEntries('tickets')).toEqual([]);
  });

  it.each([
    [5, `spaces[0]: ${EXPECTED}; got 5.`],
    ['', `spaces[0]: ${EXPECTED}; got "".`],
    [null, `spaces[0]: ${EXPECTED}; got null.`],
    [['tickets'], `spaces[0]: ${EXPECTED}; got ["tickets"].`],
    [{}, `spaces[0].use: ${EXPECTED}; got nothing.`],
    [{ use: 5 }, `spaces[0].use: ${EXPECTED}; got 5.`],
    [{ use: 'a', as: '' }, 'spaces[0].as: expected a name like "support"; got "".'],
    [{ use: 'a', as: ['b'] }, 'spaces[0].as: expected a name like "support"; got ["b"].'],
    [{ use: 'a', under: 7 }, 'spaces[0].under: expected the name of a space or place like "work"; got 7.'],
    [{ use: 'a', options: 'x' }, 'spaces[0].options: expected an object; got "x".'],
    [{ use: 'a', options: null }, 'spaces[0].options: expected an object; got null.'],
    [{ use: 'a', isolate: true }, 'spaces[0].isolate: expected "process" or false; got true.'],
    [{ use: 'a', option: {} }, 'spaces[0].option: no such field. Did you mean options?'],
    [{ use: 'a', zzzz: 1 }, 'spaces[0].zzzz: no such field. There are use, as, under, isolate, options.'],
  ])('explains %j', (entry, line) => {
    expect(explainEntries([entry])).toEqual([line]);
  });

  it('counts from the beginning of the list, and reports everything at once', () => {
    expect(explainEntries(['a', { use: 'b', as: 1, udner: 'c' }, 7])).toEqual([
      'spaces[1].udner: no such field. Did you mean under?',
      'spaces[1].as: expected a name like "support"; got 1.',
      `spaces[2]: ${EXPECTED}; got 7.`,
    ]);
  });
});
