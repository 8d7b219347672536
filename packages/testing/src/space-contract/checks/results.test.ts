import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { findJsonProblem, findOutputProblem } from './results.ts';

describe('a return value and JSON', () => {
  const circle: Record<string, unknown> = {};
  circle['self'] = [circle];

  it.each([
    ['a symbol in a map', new Map([['a', Symbol('x')]]), 'a symbol (in a)'],
    ['a class deep inside', { rows: [1, { ids: new WeakMap() }] }, 'a WeakMap (in rows[1].ids)'],
    ['a function', { next: () => 1 }, 'a function (in next)'],
    ['infinity', [Infinity], 'Infinity (in [0])'],
    ['a circle', circle, 'an object that contains itself (in self[0])'],
    ['a symbol', { of: Symbol('x') }, 'a symbol (in of)'],
  ])('finds %s', (_what, value, problem) => {
    expect(findJsonProblem(value)).toBe(
      `${problem}, which JSON cannot hold. Return a text, or plain objects and lists.`,
    );
  });

  it.each([
    ['a date, which says how it is written', { at: new Date(0) }],
    ['an object without a prototype', Object.create(null)],
    ['the same object twice', [circle['nothing'], [1], [1]]],
    ['a map and a set', { of: new Map([['a', new Set([1])]]) }],
    ['a big integer', { of: 1n }],
    ['bytes', Buffer.from('a')],
    ['attachments', { text: '', attachments: [{ type: 'image', data: Buffer.from('a') }] }],
    ['errors of single items', { text: 'x', errors: [new Error('one')] }],
  ])('takes %s', (_what, value) => {
    expect(findJsonProblem(value)).toBeUndefined();
  });

  it('accepts everything that JSON can express', () => {
    fc.assert(fc.property(fc.jsonValue(), (value) => findJsonProblem(value) === undefined));
  });
});

describe('a return value as a result', () => {
  it.each([
    [undefined, 'nothing, which reads (no output). Say what was done or found.'],
    [null, 'nothing, which reads (no output). Say what was done or found.'],
    ['', 'an empty text. Say that there is nothing.'],
    [{ text: ' ' }, 'an empty text. Say that there is nothing.'],
    [{ text: 'a', rows: 1.5 }, 'rows: 1.5. It is how many rows the whole result has.'],
    [
      { text: 'a', format: 'pdf' },
      'format: "pdf". There are markdown, plain, code, json, log, diff, csv, html, rows, printed.',
    ],
    [
      { text: 'a', whole: 'all' },
      'whole as something other than a function. It is called when code makes the call, and returns the whole text.',
    ],
    [
      { text: 'a', row: 1 },
      'a text with the field row, so that all of it is shown as JSON. A result has text, format, paged, whole, rows, hint, where, attachments, errors, failed.',
    ],
  ])('complains of %j', (returned, problem) => {
    expect(findOutputProblem(returned)).toBe(problem);
  });

  it.each(['text', 0, true, [], { id: 7 }, { text: 7 }, { text: 'a', rows: 0, format: 'code', paged: true }])(
    'takes %j',
    (returned) => {
      expect(findOutputProblem(returned)).toBeUndefined();
      expect(findOutputProblem({ text: 'a', whole: () => 'all' })).toBeUndefined();
    },
  );
});
