import { tool } from '@bae/core';
import { describe, expect, it } from 'vitest';
import type { z } from 'zod';
import { toParameters, findTextParameter } from './tool-parameters.ts';

const object = (properties: object, more: object = {}) => ({ type: 'object', properties, ...more });

/** What is wrong with some arguments: path and text of each issue. */
async function check(schema: Record<string, unknown>, args: object): Promise<readonly string[]> {
  const { error } = await toParameters(schema).safeParseAsync(args);
  return (error?.issues ?? []).map(({ path, message }) => `${path.join('.')}: ${message}`);
}

describe('patterns of a schema', () => {
  const schema = object({
    id: { type: 'string', pattern: '^[A-Z]+-\\d+$' },
    tags: { type: 'array', items: object({ name: { type: 'string', pattern: 'x' } }) },
  });

  it('are tried, wherever a text stands', async () => {
    expect(await check(schema, { id: 'WEB-7', tags: [{ name: 'axe' }] })).toEqual([]);
    expect(await check(schema, { id: 'web', tags: [{ name: 'axe' }, { name: 'b' }] })).toEqual([
      'id: expected to match the pattern ^[A-Z]+-\\d+$',
      'tags.1.name: expected to match the pattern x',
    ]);
  });

  it('that would run for years come to an end', async () => {
    const text = { type: 'string', pattern: '^(a+)+$' };
    const value = `${'a'.repeat(50_000)}!`;
    expect(await check(object({ text }), { text: value })).toHaveLength(1);
    expect(await check(object({ text: { $ref: '#/$defs/text' } }, { $defs: { text } }), { text: value })).toHaveLength(
      1,
    );
    const named = { type: 'object', patternProperties: { '^(a+)+$': false }, additionalProperties: false };
    expect(await check(named, { [value]: 1 })).toHaveLength(1);
  });

  it('that need more than that are left to the server', async () => {
    expect(await check(object({ text: { type: 'string', pattern: '(?=a)b' } }), { text: 'c' })).toEqual([]);
    expect(await check(object({ text: { type: 'string', pattern: '(' } }), { text: 'c' })).toEqual([]);
  });
});

describe('everything else of a schema', () => {
  it('is checked as it is written: references, choices, defaults, what must be there', async () => {
    const schema = object(
      {
        level: { enum: ['low', 'high'], default: 'low' },
        where: { $ref: '#/$defs/place' },
        size: { oneOf: [{ type: 'integer', minimum: 1 }, { const: 'all' }] },
      },
      {
        required: ['where'],
        $defs: { place: object({ city: { type: 'string', minLength: 2 } }, { required: ['city'] }) },
      },
    );
    expect(await check(schema, { where: { city: 'Oslo' }, size: 'all' })).toEqual([]);
    expect(await check(schema, { where: { city: 'O' }, size: 0 })).toHaveLength(2);
    expect(await check(schema, { level: 'mid' })).toHaveLength(2);
    expect(await check(schema, { where: { city: 'Oslo' }, more: 1 })).toEqual([]);
    expect(await check({ ...schema, additionalProperties: false }, { where: { city: 'Oslo' }, more: 1 })).toHaveLength(
      1,
    );
  });

  it('that cannot be read takes any value, and so does a reference to another document', async () => {
    const schema = object({ a: { type: 'nothing' }, b: { $ref: 'https://example.com/schema.json' }, c: 7 });
    expect(await check(schema, { a: 1, b: [1], c: 'x' })).toEqual([]);
  });
});

describe('parameters', () => {
  /** Names of the parameters, `?` after those that are optional; then what the tool says of other names. */
  const list = (schema: Record<string, unknown>) => {
    const { params, rest, open } = tool(
      '',
      () => toParameters(schema),
      () => '',
    ).named('x').spec;
    const names = params.map((param) => `${param.name}${'default' in param ? '?' : ''}: ${param.type}`);
    return [...names, ...(rest === true ? ['…'] : open === true ? ['(…)'] : [])].join(', ');
  };
  const text = { type: 'string' };

  it.each([
    [
      'in their order, required ones first',
      object({ a: text, b: text }, { required: ['b'] }),
      'b: string, a?: string, (…)',
    ],
    ['of a closed object', object({ a: text }, { additionalProperties: false }), 'a?: string'],
    ['of any object', { type: 'object' }, '…'],
    ['of an object without any, which are still taken', object({}), '(…)'],
    ['of an object with any besides none', object({}, { additionalProperties: true }), '…'],
    ['of an object with those by a rule', object({}, { patternProperties: { '^x-': text } }), '…'],
    ['of an object by rules for names', { type: 'object', patternProperties: { '^x-': text } }, '…'],
    ['with a schema for all others', object({ a: text }, { additionalProperties: text }), 'a?: string, …'],
    ['that are only required', { type: 'object', required: ['a'] }, 'a: json, (…)'],
    [
      'of all parts',
      { type: 'object', allOf: [object({ a: text }, { required: ['a'] }), object({ b: text })] },
      'a: string, b?: string, (…)',
    ],
    [
      'of alternatives',
      {
        type: 'object',
        oneOf: ['x', 'y'].map((kind) =>
          object({ kind: { const: kind }, [kind]: { type: 'integer' } }, { required: ['kind', kind] }),
        ),
      },
      'kind: x|y, x?: int, y?: int, (…)',
    ],
    [
      'behind a reference',
      { type: 'object', $ref: '#/$defs/all', $defs: { all: object({ a: text }) } },
      'a?: string, (…)',
    ],
    [
      'under a condition',
      object({ a: text }, { if: { required: ['a'] }, then: object({ b: text }) }),
      'a?: string, b?: string, (…)',
    ],
    [
      'that may be null',
      object({ a: { type: ['integer', 'null'] }, b: { ...text, nullable: true } }),
      'a?: int, b?: string, (…)',
    ],
  ])('are listed %s', (_what, schema, listed) => expect(list(schema)).toBe(listed));

  it('of a schema that contains itself are described once', () => {
    const node = object({ name: text, next: { $ref: '#/$defs/node' } }, { required: ['name'] });
    const { params } = tool(
      '',
      () => toParameters(object({ node }, { $defs: { node } })),
      () => '',
    ).named('x').spec;
    expect(params[0]).toMatchObject({ type: 'json', shape: '{"name":…}' });
  });

  it('of a schema that grows with its references are described in part, and checked in whole', async () => {
    const names = ['a', 'b', 'c', 'd'];
    const level = (index: number) =>
      object(Object.fromEntries(names.map((name) => [name, { $ref: `#/$defs/d${index}` }])));
    const levels = Array.from({ length: 9 }, (_, index) => [`d${index}`, index === 8 ? text : level(index + 1)]);
    const schema = { ...level(0), $defs: Object.fromEntries(levels) as object };
    const count = (node: z.core.$ZodType): number => {
      const { shape = {}, innerType } = node._zod.def as { shape?: z.core.$ZodShape; innerType?: z.core.$ZodType };
      return [...Object.values(shape), ...(innerType ? [innerType] : [])].reduce((sum, one) => sum + count(one), 1);
    };
    expect(count(toParameters(schema))).toBeLessThan(2000);
    const deep = (value: unknown) => names.concat(names).reduce((inner) => ({ a: inner }), value);
    expect(await check(schema, { d: deep('x') })).toEqual([]);
    expect(await check(schema, { d: deep(1) })).toHaveLength(1);
  });
});

const TEXT = { type: 'string' };

it.each([
  ['the only one', { message: TEXT }, [], 'message'],
  [
    'the only one that is required',
    { query: TEXT, after: TEXT, limit: { type: 'number' } },
    ['query', 'limit'],
    'query',
  ],
  ['one that is named like a long text', { title: TEXT, body: TEXT }, ['title', 'body'], 'body'],
  ['such a one, also if it is optional', { owner: TEXT, title: TEXT, body: TEXT }, ['owner', 'title'], 'body'],
  ['none of several', { old_string: TEXT, new_string: TEXT }, ['old_string', 'new_string'], undefined],
  ['none of several long texts', { text: TEXT, code: TEXT }, ['text'], undefined],
  ['none that is a choice', { level: { type: 'string', enum: ['low'] } }, ['level'], undefined],
  ['none that is an address', { url: { type: 'string', format: 'uri' } }, ['url'], undefined],
  ['none that may be something else', { value: { type: ['string', 'number'] }, other: true }, ['value'], undefined],
  ['none of a schema that is wrong', { text: null }, 'text', undefined],
])('a text between tags is for %s', (_, properties, required, expected) => {
  expect(findTextParameter({ type: 'object', properties, required })).toBe(expected);
});
