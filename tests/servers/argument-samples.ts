import fc from 'fast-check';

/** A JSON Schema, as far as samples are made of it. */
type Schema = Readonly<Record<string, unknown>>;

/** A schema may contain itself. */
const DEEPEST = 6;

interface Place {
  readonly root: Schema;
  readonly depth: number;
}

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
  return fromObject(root, { root, depth: 0 }) as fc.Arbitrary<Readonly<Record<string, unknown>>>;
}

function fromSchema(schema: unknown, at: Place): fc.Arbitrary<unknown> {
  if (typeof schema !== 'object' || schema === null || at.depth === DEEPEST) return ANY;
  const given = schema as Schema;
  const inside = { ...at, depth: at.depth + 1 };
  return fc.oneof({ weight: 12, arbitrary: fitting(given, inside) }, { weight: 1, arbitrary: ANY });
}

function fitting(schema: Schema, at: Place): fc.Arbitrary<unknown> {
  const { $ref, const: only, enum: choices, type } = schema;
  if (typeof $ref === 'string') return fromSchema(follow(at, $ref), at);
  if (only !== undefined) return fc.constant(only);
  if (Array.isArray(choices)) return fc.constantFrom(...(choices as unknown[]));
  const some = ['anyOf', 'oneOf', 'allOf'].map((key) => schema[key]).find((list) => Array.isArray(list));
  if (some !== undefined && schema['properties'] === undefined)
    return fc.oneof(...(some as readonly unknown[]).map((one) => fromSchema(one, at)));
  const types = (Array.isArray(type) ? type : [type]) as readonly unknown[];
  return fc.oneof(...types.map((one) => fromType(one, schema, at)));
}

function fromType(type: unknown, schema: Schema, at: Place): fc.Arbitrary<unknown> {
  switch (type) {
    case 'string':
      return fc.oneof(
        { weight: typeof schema['pattern'] === 'string' ? 9 : 0, arbitrary: matching(schema['pattern']) },
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
      return fromList(schema, at);
    case 'object':
      return fromObject(schema, at);
    default:
      return schema['properties'] === undefined ? ANY : fromObject(schema, at);
  }
}

function matching(pattern: unknown): fc.Arbitrary<string> {
  try {
    return fc.stringMatching(new RegExp(String(pattern), 'u'), { size: 'xsmall' });
  } catch {
    return fc.string();
  }
}

function fromList(schema: Schema, at: Place): fc.Arbitrary<unknown> {
  const items = ['prefixItems', 'items'].map((key) => schema[key]).find((list) => Array.isArray(list));
  if (items === undefined) return fc.array(fromSchema(schema['items'], at), { maxLength: 3 });
  const first = (items as readonly unknown[]).map((one) => fromSchema(one, at));
  return fc.tuple(fc.tuple(...first), fc.array(ANY, { maxLength: 1 })).map(([some, more]) => [...some, ...more]);
}

function fromObject(schema: Schema, at: Place): fc.Arbitrary<unknown> {
  const { properties, required } = listFields(schema, at);
  const fields = [...properties].map(
    ([name, one]) =>
      [name, fc.option(fromSchema(one, at), { nil: undefined, freq: required.has(name) ? 15 : 1 })] as const,
  );
  const { additionalProperties, patternProperties } = schema;
  const others = Object.values((patternProperties ?? {}) as Schema);
  const extra = fc.tuple(
    fc.integer({ min: 0, max: properties.size === 0 || others.length > 0 ? 1 : 15 }),
    fc.constantFrom('extra', 'x-a', 'some_id', 'B'),
    fc.oneof(fromSchema(others[0] ?? additionalProperties, at), ANY),
  );
  return fc.tuple(fc.record(Object.fromEntries(fields)), extra).map(([record, [chance, name, value]]) => ({
    ...Object.fromEntries(Object.entries(record).filter(([, one]) => one !== undefined)),
    ...(chance === 0 && { [name]: value }),
  }));
}

/** Lists the properties of an object from all parts of its schema. */
function listFields(schema: Schema, at: Place, depth = 0) {
  const properties = new Map(Object.entries((schema['properties'] ?? {}) as Schema));
  const required = new Set(Array.isArray(schema['required']) ? (schema['required'] as string[]) : []);
  const { $ref, allOf = [], anyOf = [], oneOf = [], then, else: other } = schema as Record<string, unknown[]>;
  const parts = [...allOf, ...anyOf, ...oneOf, then, other, typeof $ref === 'string' ? follow(at, $ref) : undefined];
  for (const part of depth > 3 ? [] : parts) {
    if (typeof part !== 'object' || part === null) continue;
    const more = listFields(part as Schema, at, depth + 1);
    for (const [name, one] of more.properties) if (!properties.has(name)) properties.set(name, one);
    for (const name of more.required) {
      required.add(name);
      if (!properties.has(name)) properties.set(name, {});
    }
  }
  return { properties, required };
}

/** The part of a document that a local reference names. */
function follow({ root }: Place, reference: string): unknown {
  const [, path = ''] = reference.split('#/');
  return path
    .split('/')
    .filter((part) => part !== '')
    .reduce<unknown>(
      (at, key) => (at as Schema | undefined)?.[key.replaceAll('~1', '/').replaceAll('~0', '~')],
      path === '' ? {} : root,
    );
}
