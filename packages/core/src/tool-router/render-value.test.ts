import { describe, expect, it } from 'vitest';
import { ResourceError } from '../errors/call-errors.ts';
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
    ['a big integer', 12n, '12'],
    ['a function', () => 1, '() => 1'],
    ['a symbol', Symbol('s'), 'Symbol(s)'],
    ['an object', { b: 1, a: [true, null] }, '{\n  "b": 1,\n  "a": [\n    true,\n    null\n  ]\n}'],
    ['an object with a text and other fields', { text: 'x', id: 1 }, '{\n  "text": "x",\n  "id": 1\n}'],
    ['an object whose text is not a text', { text: 1 }, '{\n  "text": 1\n}'],
    ['big integers inside', { size: 10n }, '{\n  "size": "10"\n}'],
  ])('makes text of %s', (_kind, value, text) => {
    expect(normaliseOutput(value)).toEqual({ text });
  });

  it('keeps every field of a rich output', () => {
    const output = { text: 'rows', format: 'plain', paged: true, rows: 3, hint: '3 rows', errors: [] } as const;
    expect(normaliseOutput(output)).toEqual(output);
  });

  it('shows where an object contains itself, and only there', () => {
    const shared = { x: 1 };
    const loop: Record<string, unknown> = { first: shared, second: shared };
    loop['self'] = loop;
    expect(JSON.parse(normaliseOutput(loop).text)).toEqual({ first: { x: 1 }, second: { x: 1 }, self: '(circular)' });
  });

  it('survives values that cannot be turned into JSON', () => {
    const hostile = {
      toJSON() {
        throw new Error('no');
      },
    };
    expect(normaliseOutput(hostile).text).toBe('[object Object]');
    expect(normaliseOutput({ toJSON: () => undefined }).text).toBe('[object Object]');
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
