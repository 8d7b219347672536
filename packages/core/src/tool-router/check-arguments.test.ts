import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { checkArguments } from './check-arguments.ts';

/** What is said of one value of one schema. */
async function said(schema: z.ZodType, value: unknown): Promise<readonly string[]> {
  const checked = await checkArguments(z.object({ x: schema }), { x: value }, new Map([['x', value]]));
  return checked.ok ? [] : checked.issues.map(({ path, text }) => `${path}: ${text}`);
}

describe('checkArguments', () => {
  it('fills in defaults and leaves the rest alone', async () => {
    const schema = z.looseObject({ a: z.int().default(3), b: z.string() });
    expect(await checkArguments(schema, { b: 'x', c: 1 }, new Map())).toEqual({
      ok: true,
      params: { a: 3, b: 'x', c: 1 },
    });
  });

  it.each([
    ['a length', z.string().length(1), 'ab', 'expected exactly 1 character, got "ab"'],
    ['a shortest length', z.string().min(3), 'ab', 'expected at least 3 characters, got "ab"'],
    ['a longest list', z.array(z.int()).max(1), [1, 2], 'expected at most 1 item, got [1,2]'],
    [
      'a size',
      z.map(z.string(), z.int()).refine(() => false, { error: 'expected two entries' }),
      new Map(),
      'expected two entries, got {}',
    ],
    ['a least number', z.number().min(1), 0, 'expected at least 1, got 0'],
    ['a number that is too little', z.number().gt(1), 1, 'expected more than 1, got 1'],
    ['a number that is too much', z.number().lt(1), 1, 'expected less than 1, got 1'],
    ['a divisor', z.int().multipleOf(5), 7, 'expected a multiple of 5, got 7'],
    ['a format', z.email(), 'me', 'expected email, got "me"'],
    ['a pattern', z.string().regex(/^a+$/), 'b', 'expected text matching /^a+$/, got "b"'],
    ['a beginning', z.string().startsWith('src/'), 'x', 'expected text that starts with "src/", got "x"'],
    ['an end', z.string().endsWith('.ts'), 'x', 'expected text that ends with ".ts", got "x"'],
    ['a part', z.string().includes('='), 'x', 'expected text that contains "=", got "x"'],
    ['another type', z.record(z.string(), z.int()), 'x', 'expected object, got "x"'],
    ['another value', z.literal('on'), 'off', 'expected on, got "off"'],
    ['other values', z.literal(['on', 'off']), 'no', 'expected one of on, off; got "no"'],
    ['none of several', z.union([z.int(), z.array(z.string())]), {}, 'expected int or array, got {}'],
    [
      'no kind',
      z.discriminatedUnion('kind', [z.object({ kind: z.literal('a') })]),
      { kind: 'b' },
      'expected kind one of a, got {"kind":"b"}',
    ],
    ['a bad key', z.record(z.string().min(2), z.int()), { a: 1 }, 'expected at least 2 characters, got "a"'],
    ['no reason', z.string().refine(() => false), 'x', 'expected another value, got "x"'],
    ["the author's words", z.string().min(3, 'Say more, please'), 'x', 'Say more, please; got "x"'],
  ])('words %s', async (_what, schema, value, text) => {
    const [line] = await said(schema, value);
    expect(line?.replace(/^x(\.\w+)?: /, '')).toBe(text);
  });

  it('names the part of a value that is wrong', async () => {
    const schema = z.object({ list: z.array(z.object({ id: z.int() })) });
    expect(await said(schema, { list: [{ id: 1 }, { id: 'x' }, {}] })).toEqual([
      'x.list.1.id: expected int, got "x"',
      'x.list.2.id: required',
    ]);
  });

  it('names unknown keys, and the nearest known one', async () => {
    const schema = z.strictObject({ state: z.string().optional() });
    expect(await said(schema, { stat: 1, qqqqqqqq: 2 })).toEqual([
      'x: unknown key stat (did you mean state?); unknown key qqqqqqqq',
    ]);
  });

  it('quotes the value as it was sent', async () => {
    const checked = await checkArguments(z.object({ x: z.int().min(5) }), { x: 3 }, new Map([['x', '3']]));
    expect(checked).toEqual({ ok: false, issues: [{ name: 'x', path: 'x', text: 'expected at least 5, got "3"' }] });
  });

  it('leaves the name out of what concerns all arguments', async () => {
    const schema = z.object({ x: z.int() }).refine(() => false, 'nothing fits');
    expect(await checkArguments(schema, { x: 1 }, new Map())).toEqual({
      ok: false,
      issues: [{ name: undefined, path: '', text: 'nothing fits' }],
    });
  });
});
