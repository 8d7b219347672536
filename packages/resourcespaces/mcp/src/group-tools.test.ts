import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { groupTools } from './group-tools.ts';

const count = (length: number, name: (index: number) => string): readonly string[] =>
  Array.from({ length }, (_, n) => name(n));

describe('the tools of a server', () => {
  it('stay together when they are a few', () => {
    const names = count(30, (n) => `get_thing_${n}`);
    expect([...groupTools(names)]).toEqual([['', names]]);
  });

  it('are divided by what their names are about, in whatever style, and not by what is done', () => {
    const verbs = ['get', 'list', 'create', 'update', 'delete', 'search'];
    const names = [
      ...verbs.flatMap((verb) => [
        `${verb}_merge_request`,
        `${verb}Branches`,
        `${verb}-issue`,
        `acme_${verb}_repositories`,
      ]),
      ...verbs.map((verb) => `issue_note_${verb}`),
      'whoami',
      'get_weather',
    ];
    const groups = groupTools(names);
    expect([...groups.keys()]).toEqual(['issue', 'merge_request', 'repository', 'branch', '']);
    expect(groups.get('issue')).toHaveLength(12);
    expect(groups.get('')).toEqual(['whoami', 'get_weather']);
  });

  it('are not divided by a word that nearly all have', () => {
    const names = [...count(20, (n) => `mobile_a${n}_screen`), ...count(15, (n) => `mobile_b${n}_app`)];
    expect([...groupTools(names).keys()]).toEqual(['screen', 'app', '']);
  });

  it('are in parts where too many are about the same, or about nothing', () => {
    const about = groupTools([...count(70, (n) => `x${n}_page`), ...count(70, (n) => `y${n}_shop`)]);
    expect([...about].map(([name, tools]) => [name, tools.length])).toEqual([
      ['page_1', 24],
      ['page_2', 24],
      ['page_3', 22],
      ['shop_1', 24],
      ['shop_2', 24],
      ['shop_3', 22],
      ['', 0],
    ]);
    const letters = count(62, (n) => `${String.fromCodePoint(97 + (n % 26))}${n}`);
    expect([...groupTools(letters).keys()]).toEqual(['more_1', 'more_2', 'more_3']);
  });

  it('are not divided by what only the end of a long name says', () => {
    const start = Array.from({ length: 12 }, () => '7').join('_');
    const ends = count(40, (n) => `${start}_${n < 20 ? 'page' : 'shop'}_${n}`);
    expect([...groupTools(ends).keys()]).toEqual(['more_1', 'more_2']);
  });

  it('are each in one place, of at most thirty', () => {
    const word = fc.constantFrom('get', 'list', 'issue', 'issues', 'note', 'page', 'Team', 'x', '7', 'é');
    const name = fc.array(word, { minLength: 1, maxLength: 5 }).map((words) => words.join('_'));
    fc.assert(
      fc.property(fc.uniqueArray(name, { maxLength: 300 }), (names) => {
        const groups = [...groupTools(names).values()];
        expect(groups.flat().toSorted()).toEqual(names.toSorted());
        expect(Math.max(0, ...groups.map(({ length }) => length))).toBeLessThanOrEqual(30);
      }),
    );
  });
});
