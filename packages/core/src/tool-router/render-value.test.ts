import { describe, expect, it } from 'vitest';
import { ResourceError } from '../errors/bae-error.ts';
import { normaliseOutput } from './render-result.ts';

describe('normaliseOutput', () => {
  it.each([
    ['text', 'a\nb\n', 'a\nb\n'],
    ['empty text', '', ''],
    ['null', null, '(no output)'],
    ['undefined', undefined, '(no output)'],
    ['a number', 7, '7'],
    ['not a number', Number.NaN, 'NaN'],
    ['a boolean', false, 'false'],
    ['an object', { b: 1, a: [true, null] }, '{\n  "b": 1,\n  "a": [\n    true,\n    null\n  ]\n}'],
    ['an object with a text and other fields', { text: 'x', id: 1 }, '{\n  "text": "x",\n  "id": 1\n}'],
    ['an object whose text is not a text', { text: 1 }, '{\n  "text": 1\n}'],
  ])('makes text of %s', (_kind, value, text) => {
    expect(normaliseOutput(value)).toEqual({ text });
  });

  it('keeps every field of a rich output', () => {
    const output = { text: 'rows', format: 'plain', paged: true, rows: 3, hint: '3 rows', errors: [] } as const;
    expect(normaliseOutput(output)).toEqual(output);
  });

  it('lists every error below what succeeded', () => {
    const errors = [new ResourceError("no task '9'.", ['<R:>']), new TypeError('boom\nstack')];
    expect(normaliseOutput({ text: 'created 1\ncreated 2', errors }).text).toMatchInlineSnapshot(`
      "created 1
      created 2
      2 errors:
      - ResourceError: no task '9'.
        Try: <R:>
      - TypeError: boom"
    `);
    expect(normaliseOutput({ text: '', errors: errors.slice(1) }).text).toBe('1 error:\n- TypeError: boom');
  });
});
