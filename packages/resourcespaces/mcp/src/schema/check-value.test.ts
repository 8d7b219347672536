import { describe, expect, it } from 'vitest';
import { checkValue } from './check-value.ts';
import { SchemaDocument, type Fields } from './schema-document.ts';

const OLD = 'http://json-schema.org/draft-07/schema#';

/** What is said of a value: paths and codes. */
function check(schema: Fields, value: unknown, left = 1_000_000): readonly string[] {
  const document = new SchemaDocument(schema);
  const issues = checkValue(document, { schema, value, path: [] }, { left });
  return issues.map(({ path, code, message }) => `${path.join('.')}: ${typeof message === 'string' ? message : code}`);
}

/** A list in which the next is to be closed as the whole is, if the list is a recursive anchor. */
const makeTree = ($recursiveAnchor: boolean): Fields => ({
  $schema: 'https://json-schema.org/draft/2019-09/schema',
  $id: 'https://a.example/tree',
  $recursiveAnchor: true,
  $ref: 'list',
  additionalProperties: false,
  properties: { next: true },
  $defs: { list: { $id: 'list', $recursiveAnchor, type: 'object', properties: { next: { $recursiveRef: '#' } } } },
});

const isTaken = (schema: Fields, value: unknown) => check(schema, value).length === 0;
const text = { type: 'string' };

describe('keywords', () => {
  it.each<[what: string, schema: Fields, taken: unknown, refused: unknown]>([
    ['type', { type: ['string', 'null'] }, null, 1],
    ['integers', { type: 'integer' }, 1.0, 1.5],
    ['nullable', { ...text, nullable: true }, null, 1],
    ['const', { const: { a: [1], b: 2 } }, { b: 2, a: [1] }, { a: [1] }],
    ['enum', { enum: [1, 'a', null, [2]] }, [2], 2],
    ['lengths in characters', { minLength: 2, maxLength: 2 }, '👍👍', '👍'],
    ['bounds', { minimum: 1, exclusiveMaximum: 3 }, 1, 3],
    ['bounds of draft 4', { minimum: 1, exclusiveMinimum: true }, 2, 1],
    ['multipleOf', { multipleOf: 0.5 }, 1.5, 1.2],
    ['pattern', { pattern: '^\\p{L}+\\s.$' }, 'é\u00a0x', 'é-x'],
    ['minItems', { minItems: 1 }, [1], []],
    [
      'uniqueItems',
      { uniqueItems: true },
      [1, '1', [1]],
      [
        { a: 1, b: 2 },
        { b: 2, a: 1 },
      ],
    ],
    ['prefixItems', { prefixItems: [text], items: { type: 'number' } }, ['a', 1], ['a', 'b']],
    ['lists of items', { $schema: OLD, items: [text], additionalItems: false }, ['a'], ['a', 'b']],
    ['contains', { contains: text, maxContains: 1 }, [1, 'a'], ['a', 'b']],
    ['unevaluatedItems', { prefixItems: [text], unevaluatedItems: false }, ['a'], ['a', 1]],
    ['minProperties', { minProperties: 2 }, { a: 1, b: 2 }, { a: 1 }],
    ['required', { required: ['constructor'] }, { constructor: 1 }, {}],
    [
      'patternProperties',
      { patternProperties: { '^x-': text }, additionalProperties: false },
      { 'x-a': 'b' },
      { y: 'b' },
    ],
    [
      'patternProperties of known ones',
      { properties: { ab: true }, patternProperties: { b$: text } },
      { ab: 'b' },
      { ab: 1 },
    ],
    ['propertyNames', { propertyNames: { maxLength: 2 } }, { ab: 1 }, { abc: 1 }],
    ['dependentRequired', { dependentRequired: { a: ['b'] } }, { b: 1 }, { a: 1 }],
    ['dependentSchemas', { dependentSchemas: { a: { maxProperties: 1 } } }, { b: 1, c: 2 }, { a: 1, b: 2 }],
    ['dependencies', { $schema: OLD, dependencies: { a: ['b'], c: false } }, { a: 1, b: 2 }, { c: 1 }],
    [
      'unevaluatedProperties',
      { anyOf: [{ properties: { a: text } }], unevaluatedProperties: false },
      { a: '' },
      { b: '' },
    ],
    ['allOf', { allOf: [text, { minLength: 1 }] }, 'a', ''],
    ['oneOf', { oneOf: [{ minimum: 2 }, { maximum: 3 }] }, 1, 2],
    ['not', { not: text }, 1, 'a'],
    ['if', { if: text, then: { minLength: 1 }, else: { minimum: 1 } }, 'a', 0],
    ['references', { $ref: '#/$defs/a~1b%25', $defs: { 'a/b%': text } }, 'a', 1],
    ['anchors', { $ref: '#a', $defs: { x: { $anchor: 'a', ...text } } }, 'a', 1],
    ['anchors of draft 7', { $schema: OLD, $ref: '#a', definitions: { x: { $id: '#a', ...text } } }, 'a', 1],
    ['addresses', { $id: 'https://a.example/b/c', $ref: 'd', $defs: { x: { $id: '/b/d', ...text } } }, 'a', 1],
    [
      'dynamic anchors',
      {
        $id: 'https://a.example/tree',
        $dynamicAnchor: 'node',
        $ref: 'list',
        additionalProperties: false,
        properties: { next: true },
        $defs: { list: { $id: 'list', $dynamicAnchor: 'node', properties: { next: { $dynamicRef: '#node' } } } },
      },
      { next: { next: {} } },
      { next: { other: 1 } },
    ],
    ['recursive anchors', makeTree(true), { next: { next: {} } }, { next: { other: 1 } }],
    [
      'schemas that contain themselves',
      { properties: { a: { $ref: '#' } }, maxProperties: 1 },
      { a: { a: {} } },
      { a: { a: 1, b: 2 } },
    ],
  ])('are read: %s', (_what, schema, taken, refused) => {
    expect([isTaken(schema, taken), isTaken(schema, refused)]).toEqual([true, false]);
  });

  it('that refer to the list alone where it is no recursive anchor', () => {
    expect(isTaken(makeTree(false), { next: { other: 1 } })).toBe(true);
    expect(isTaken(makeTree(false), { next: { next: 1 } })).toBe(false);
  });

  it('of newer editions say nothing in an older one', () => {
    const newer = { dependentRequired: { a: ['b'] }, unevaluatedProperties: false, prefixItems: [text] };
    expect(isTaken({ $schema: OLD, ...newer }, { a: 1 })).toBe(true);
    expect(isTaken(newer, { a: 1 })).toBe(false);
  });

  it('that have another form than they should say nothing', () => {
    const wrong = {
      type: 'text',
      required: 'a',
      properties: [],
      enum: 'a',
      minimum: '1',
      pattern: 7,
      $ref: 1,
      items: 'x',
      anyOf: {},
    };
    for (const value of [0, 'a', [1], {}]) expect(isTaken(wrong, value)).toBe(true);
  });
});

describe('a refusal', () => {
  it('names the part that is wrong', () => {
    const schema = { properties: { a: { items: { properties: { b: text }, required: ['c'] } } } };
    expect(check(schema, { a: [{ b: 1, c: 1 }, {}] })).toEqual(['a.0.b: invalid_type', 'a.1.c: invalid_type']);
  });

  it('of a choice names what the nearest alternative needs', () => {
    const kinds = ['cat', 'dog'].map((kind) => ({
      properties: { kind: { const: kind }, [`${kind}_name`]: text },
      required: ['kind', `${kind}_name`],
    }));
    expect(check({ properties: { pet: { oneOf: kinds } } }, { pet: { kind: 'dog' } })).toEqual([
      'pet.dog_name: invalid_type',
    ]);
    expect(check({ anyOf: [{ required: ['a'] }, { required: ['b'] }] }, {})).toEqual(['a: required, or b']);
    expect(check({ properties: { x: { anyOf: [text, { type: 'number' }] } } }, { x: [] })).toEqual([
      'x: invalid_union',
    ]);
  });
});

describe('a hostile schema', () => {
  /** Each definition refers twice to the next. */
  const doubling = (last: Fields, { key = 'anyOf', depth = 60 } = {}) => {
    const both = (index: number) => ({ [key]: [{ $ref: `#/$defs/d${index}` }, { $ref: `#/$defs/d${index}` }] });
    const defs = Array.from({ length: depth }, (_, index) => [
      `d${index}`,
      index === depth - 1 ? last : both(index + 1),
    ]);
    return { ...both(0), $defs: Object.fromEntries(defs) as Fields };
  };

  it('whose references double is checked in steps that only depend on its length', () => {
    expect(check(doubling(text), 'a', 500)).toEqual([]);
    expect(check(doubling(text), 1, 500)).toHaveLength(1);
  });

  it('whose references double does not double what is said', () => {
    expect(check(doubling(text, { key: 'allOf', depth: 16 }), 1).length).toBeLessThanOrEqual(50);
    const schema = doubling({ minimum: 2 }, { depth: 16 });
    const [issue] = checkValue(new SchemaDocument(schema), { schema, value: 1, path: [] }, { left: 1_000_000 });
    expect(issue).toMatchObject({ code: 'invalid_union' });
    expect(JSON.stringify(issue).length).toBeLessThan(2000);
  });

  it('that refers to itself without looking into the value says nothing', () => {
    expect(check({ $ref: '#' }, 1)).toEqual([]);
    expect(
      check({ allOf: [{ $ref: '#/$defs/a' }], $defs: { a: { $ref: '#/$defs/b' }, b: { $ref: '#/$defs/a' } } }, 1),
    ).toEqual([]);
  });

  it('is left to the server when it takes too much work or goes too deep', () => {
    const long = { items: { anyOf: Array.from({ length: 100 }, () => text) } };
    expect(check(long, [1])).toHaveLength(1);
    expect(
      check(
        long,
        Array.from({ length: 100 }, () => 1),
        5000,
      ),
    ).toEqual([]);
    let deep: unknown = 1;
    for (let level = 0; level < 5000; level++) deep = [deep];
    expect(check({ items: { $ref: '#' }, type: 'array' }, deep)).toEqual([]);
  });
});
