import fc from 'fast-check';
import { expect, it } from 'vitest';
import { jsonProblem } from './json-problem.ts';

const circle: Record<string, unknown> = {};
circle['self'] = [circle];

it.each([
  ['a map', new Map(), 'a Map'],
  ['a set deep inside', { rows: [1, { ids: new Set() }] }, 'a Set (in rows[1].ids)'],
  ['a function', { next: () => 1 }, 'a function (in next)'],
  ['a big integer', 1n, 'a bigint'],
  ['infinity', [Infinity], 'Infinity (in [0])'],
  ['a circle', circle, 'an object that contains itself (in self[0])'],
  ['a symbol', { of: Symbol('x') }, 'a symbol (in of)'],
])('finds %s', (_what, value, problem) => {
  expect(jsonProblem(value)).toBe(`${problem}, which JSON cannot hold. Return a text, or plain objects and lists.`);
});

it.each([
  ['a date, which says how it is written', { at: new Date(0) }],
  ['an object without a prototype', Object.create(null)],
  ['the same object twice', [circle['nothing'], [1], [1]]],
  ['errors of single items', { text: 'x', errors: [new Error('one')] }],
])('takes %s', (_what, value) => {
  expect(jsonProblem(value)).toBeUndefined();
});

it('takes whatever JSON can say', () => {
  fc.assert(fc.property(fc.jsonValue(), (value) => jsonProblem(value) === undefined));
});
