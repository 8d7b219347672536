import { describe, expect, it } from 'vitest';
import { toParameters } from './tool-parameters.ts';

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
    const slow = object({ text: { type: 'string', pattern: '^(a+)+$' } });
    expect(await check(slow, { text: `${'a'.repeat(50_000)}!` })).toHaveLength(1);
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
    expect(await check(schema, { where: { city: 'Oslo' }, more: 1 })).toHaveLength(1);
  });

  it('that cannot be read takes any value, and so does a reference to another document', async () => {
    const schema = object({ a: { type: 'nothing' }, b: { $ref: 'https://example.com/schema.json' }, c: 7 });
    expect(await check(schema, { a: 1, b: [1], c: 'x' })).toEqual([]);
  });

  it('that refers to too much too often is left to the server', async () => {
    const place = object({ city: { type: 'string' } });
    const refer = (count: number) => {
      const names = Array.from({ length: count }, (_, index) => `p${index}`);
      const $defs = Object.fromEntries(names.map((name) => [name, place]));
      return object(Object.fromEntries(names.map((name) => [name, { $ref: `#/$defs/${name}` }])), { $defs });
    };
    expect(await check(refer(50), { p1: 7 })).toHaveLength(1);
    expect(await check(refer(500), { p1: 7 })).toEqual([]);
  });
});
