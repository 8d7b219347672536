import fc from 'fast-check';

/** A JSON Schema, as far as samples are made of it. */
type Schema = Readonly<Record<string, unknown>>;

/** Values of every kind, for where a schema says nothing or something else. */
const ANY = fc.oneof(
  fc.string({ maxLength: 5 }),
  fc.integer({ min: -5, max: 200 }),
  fc.double({ min: -2, max: 2, noNaN: true }),
  fc.boolean(),
  fc.constant(null),
  fc.constantFrom([], {}, [1], { a: 1 }, ['x']),
);

/** Arguments that mostly fit a schema: some have a value of another kind, miss one, or have one too many. */
export function makeArguments(root: Schema): fc.Arbitrary<Readonly<Record<string, unknown>>> {
  return fromObject(root, root) as fc.Arbitrary<Readonly<Record<string, unknown>>>;
}

function fromSchema(schema: unknown, root: Schema): fc.Arbitrary<unknown> {
  if (typeof schema !== 'object' || schema === null) return ANY;
  const given = schema as Schema;
  return fc.oneof({ weight: 12, arbitrary: fitting(given, root) }, { weight: 1, arbitrary: ANY });
}

function fitting(schema: Schema, root: Schema): fc.Arbitrary<unknown> {
  const { $ref, const: only, enum: choices, anyOf, oneOf, allOf, type } = schema;
  if (typeof $ref === 'string') return fromSchema(follow(root, $ref), root);
  if (only !== undefined) return fc.constant(only);
  if (Array.isArray(choices)) return fc.constantFrom(...(choices as unknown[]));
  const some = [anyOf, oneOf, allOf].find((list) => Array.isArray(list)) as readonly unknown[] | undefined;
  if (some !== undefined) return fc.oneof(...some.map((one) => fromSchema(one, root)));
  const types = (Array.isArray(type) ? type : [type]) as readonly unknown[];
  return fc.oneof(...types.map((one) => fromType(one, schema, root)));
}

function fromType(type: unknown, schema: Schema, root: Schema): fc.Arbitrary<unknown> {
  switch (type) {
    case 'string':
      return fc.oneof(
        fc.string({ maxLength: 12 }),
        fc.constantFrom('', '7', 'main', '2026-11-24T10:00:00Z', '2026-11-24', 'https://a.example/x', 'a@b.example'),
      );
    case 'integer':
      return fc.integer({ min: -3, max: 120 });
    case 'number':
      return fc.oneof(fc.integer({ min: -3, max: 120 }), fc.double({ min: -200, max: 200, noNaN: true }));
    case 'boolean':
      return fc.boolean();
    case 'null':
      return fc.constant(null);
    case 'array':
      return fc.array(fromSchema(schema['items'], root), { maxLength: 3 });
    case 'object':
      return fromObject(schema, root);
    default:
      return schema['properties'] === undefined ? ANY : fromObject(schema, root);
  }
}

function fromObject(schema: Schema, root: Schema): fc.Arbitrary<unknown> {
  const properties = Object.entries((schema['properties'] ?? {}) as Schema);
  const required = new Set((schema['required'] ?? []) as readonly string[]);
  const fields = properties.map(
    ([name, one]) =>
      [name, fc.option(fromSchema(one, root), { nil: undefined, freq: required.has(name) ? 15 : 1 })] as const,
  );
  return fc.tuple(fc.record(Object.fromEntries(fields)), fc.integer({ min: 0, max: 15 })).map(([record, extra]) => ({
    ...Object.fromEntries(Object.entries(record).filter(([, value]) => value !== undefined)),
    ...(extra === 0 && { extra: 1 }),
  }));
}

/** The part of a document that a local reference names. */
function follow(root: Schema, reference: string): unknown {
  const path = reference
    .replace(/^#\/?/, '')
    .split('/')
    .filter((part) => part !== '');
  return path.reduce<unknown>(
    (at, key) => (at as Schema | undefined)?.[key.replaceAll('~1', '/').replaceAll('~0', '~')],
    root,
  );
}
