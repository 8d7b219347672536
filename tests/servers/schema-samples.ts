import fc from 'fast-check';

type Schema = Readonly<Record<string, unknown>>;
type Arbitrary = fc.Arbitrary<unknown>;

export const DRAFT_7 = 'http://json-schema.org/draft-07/schema#';
export const DRAFT_2020 = 'https://json-schema.org/draft/2020-12/schema';

const NAMES = 'title query limit owner labels filter state item_id target path id type count tags since deep'.split(
  ' ',
);
/** Names that cannot be written before a value in a tag, or only just. */
const ODD_NAMES = ['X-Trace', '$filter', 'fields[]', 'a.b', 'first name', 'größe', '1st', 'constructor'];

const PATTERNS = [
  '^[A-Z]+-\\d+$',
  '^[^/]+/[^/]+$',
  '^\\d{4}-\\d{2}-\\d{2}$',
  '^(?:asc|desc)$',
  '\\S',
  '^[\\w.-]+@[\\w.-]+$',
  '^.{1,5}$',
  '^[a-z][a-z0-9_]*$',
  '^\\p{L}+$',
];
const NAME_PATTERNS = ['^x-', '_id$', '^[A-Z]', '^.$'];

/** Names of what is said of the arguments together, so that it does not contradict what is said of each. */
const MORE_NAMES = ['alpha', 'beta', 'gamma'];

const name = fc.oneof({ weight: 9, arbitrary: fc.constantFrom(...NAMES) }, fc.constantFrom(...ODD_NAMES));
const size = fc.integer({ min: 0, max: 4 });

/** Input schemas in the style of real servers, with every keyword of JSON Schema, in both editions that they use. */
export function makeInputSchemas(): fc.Arbitrary<Schema> {
  return fc.constantFrom(undefined, DRAFT_7, DRAFT_2020).chain(($schema) => {
    const isOld = $schema === DRAFT_7;
    const make = new SchemaMaker(isOld);
    return make.root().map((schema) => ({ ...($schema && { $schema }), ...schema }));
  });
}

class SchemaMaker {
  readonly #isOld: boolean;
  readonly #defs: string;

  constructor(isOld: boolean) {
    this.#isOld = isOld;
    this.#defs = isOld ? 'definitions' : '$defs';
  }

  root(): fc.Arbitrary<Schema> {
    const defs = fc.record({
      place: this.#object(1),
      node: this.#object(1).map((one) => ({
        ...one,
        properties: { ...(one['properties'] as object), next: { $ref: `#/${this.#defs}/node` } },
      })),
      kind: this.#leaf().map((one) => ({
        ...(one as object),
        ...(this.#isOld ? { $id: '#kind' } : { $anchor: 'kind' }),
      })),
      item: this.#leaf().map((one) => ({ ...(one as object), $id: 'https://example.com/item.json' })),
    });
    return fc
      .tuple(this.#object(3, true), this.#combined(), defs, fc.integer({ min: 0, max: 9 }))
      .map(([object, combined, all, number]) => ({
        ...object,
        ...(number < 4 && combined),
        ...(number === 9 && { $ref: `#/${this.#defs}/place` }),
        [this.#defs]: all,
        type: 'object',
      }));
  }

  #schema(depth: number): Arbitrary {
    if (depth === 0) return this.#leaf();
    const inner = this.#schema(depth - 1);
    return fc.oneof(
      { weight: 12, arbitrary: this.#leaf() },
      { weight: 2, arbitrary: this.#object(depth - 1) },
      { weight: 3, arbitrary: this.#list(inner) },
      fc.array(inner, { minLength: 1, maxLength: 3 }).map((anyOf) => ({ anyOf })),
      fc.array(inner, { minLength: 1, maxLength: 3 }).map((oneOf) => ({ oneOf })),
      fc
        .tuple(inner, fc.constantFrom({}, { description: 'Both.' }, this.#defs))
        .map(([one, other]) => ({ allOf: [one, typeof other === 'string' ? { $ref: `#/${other}/kind` } : other] })),
      fc.constantFrom(...this.#references()).map(($ref) => ({ $ref })),
      fc.constantFrom(...this.#references()).map(($ref) => ({ $ref, description: 'Where.' })),
      fc
        .constantFrom({ type: 'null' }, { type: 'object' }, { enum: ['a', 1] }, { minLength: 9 })
        .map((not) => ({ not })),
      fc.tuple(inner, inner, inner).map(([condition, yes, no]) => ({ if: condition, then: yes, else: no })),
    );
  }

  #references(): readonly string[] {
    return [`#/${this.#defs}/place`, `#/${this.#defs}/node`, '#kind', 'https://example.com/item.json'];
  }

  #leaf(): Arbitrary {
    const text = fc.record(
      {
        type: fc.constant('string'),
        minLength: fc.integer({ min: 0, max: 3 }),
        maxLength: fc.integer({ min: 5, max: 9 }),
        pattern: fc.constantFrom(...PATTERNS),
        format: fc.constantFrom('date', 'uri', 'email', 'uuid'),
        description: fc.constant('Some text.'),
        default: fc.constant('main'),
        nullable: fc.boolean(),
      },
      { requiredKeys: ['type'] },
    );
    const number = fc.record(
      {
        type: fc.constantFrom('integer', 'number'),
        minimum: fc.integer({ min: -2, max: 5 }),
        maximum: fc.integer({ min: 20, max: 120 }),
        exclusiveMinimum: fc.integer({ min: -2, max: 3 }),
        exclusiveMaximum: fc.integer({ min: 20, max: 100 }),
        multipleOf: fc.constantFrom(1, 2, 5, 0.5),
        default: fc.constant(10),
      },
      { requiredKeys: ['type'] },
    );
    const plain = { weight: 3, arbitrary: text };
    // Most numbers and texts have one constraint at most.
    const sparse = fc.tuple(fc.oneof(plain, number), fc.integer({ min: 2, max: 9 })).map(([all, seed]) => {
      const [type, ...others] = Object.entries(all);
      return Object.fromEntries([type!, ...others.filter((_, index) => (index + 1) % seed === 0)]);
    });
    return fc.oneof(
      { weight: 10, arbitrary: sparse },
      { weight: 3, arbitrary: fc.constantFrom({ type: 'boolean' }, { type: 'boolean', default: false }) },
      {
        weight: 3,
        arbitrary: fc.constantFrom({ enum: ['open', 'closed', 'all'] }, { type: 'string', enum: ['a', 'b'] }),
      },
      fc.constantFrom({ enum: [1, 2, 3] }, { enum: ['1', 1, true, null] }, { enum: [{ a: 1 }, [1, 2], 'x'] }),
      fc.constantFrom({ const: 'fixed' }, { const: 7 }, { const: null }, { const: { a: [1] } }),
      fc.constantFrom(
        { type: ['string', 'null'] },
        { type: ['integer', 'string'] },
        { type: ['boolean', 'string', 'null'] },
      ),
      fc.constantFrom({ type: ['array', 'string'], items: { type: 'string' } }, { type: 'null' }, {}, true),
      fc.constantFrom(
        { type: 'object' },
        { type: 'array' },
        { type: 'object', additionalProperties: { type: 'integer' } },
      ),
    );
  }

  #list(inner: Arbitrary): Arbitrary {
    const first = fc.array(inner, { minLength: 1, maxLength: 2 });
    const tuple = fc
      .tuple(first, fc.oneof(inner, fc.boolean()))
      .map(([items, others]) =>
        this.#isOld ? { items, additionalItems: others } : { prefixItems: items, items: others },
      );
    const more = fc.record(
      {
        minItems: fc.integer({ min: 0, max: 2 }),
        maxItems: fc.integer({ min: 1, max: 4 }),
        uniqueItems: fc.boolean(),
        contains: this.#leaf(),
      },
      { requiredKeys: [] },
    );
    const newer = fc.record(
      {
        minContains: fc.integer({ min: 0, max: 2 }),
        maxContains: fc.integer({ min: 1, max: 3 }),
        unevaluatedItems: fc.boolean(),
      },
      { requiredKeys: [] },
    );
    return fc
      .tuple(
        fc.oneof({ weight: 4, arbitrary: inner.map((items) => ({ items })) }, tuple),
        more,
        newer,
        fc.integer({ min: 0, max: 5 }),
      )
      .map(([items, bounds, others, number]) => ({
        type: 'array',
        ...items,
        // After `prefixItems`, ajv 8 takes any list for `contains` that has no items.
        ...(number > 2 && ('prefixItems' in items ? omit(bounds, 'contains') : bounds)),
        ...(number === 5 && !this.#isOld && 'contains' in bounds && !('prefixItems' in items) && others),
      }));
  }

  #object(depth: number, isRoot = false, names = name): fc.Arbitrary<Schema> {
    const properties = fc.dictionary(names, this.#schema(depth), {
      minKeys: isRoot ? 0 : 1,
      maxKeys: 5,
      noNullPrototype: true,
    });
    const others = fc.oneof(
      { weight: 4, arbitrary: fc.constant(undefined) },
      { weight: 4, arbitrary: fc.boolean() },
      this.#leaf(),
    );
    return fc
      .tuple(
        properties,
        fc.array(fc.boolean(), { minLength: 5, maxLength: 5 }),
        others,
        this.#rarer(),
        fc.integer({ min: 0, max: 9 }),
      )
      .map(([fields, needed, additionalProperties, rarer, number]) => {
        const required = Object.keys(fields).filter((_, index) => needed[index]);
        return {
          type: 'object',
          ...((Object.keys(fields).length > 0 || number > 3) && { properties: fields }),
          ...(required.length > 0 && { required }),
          ...(additionalProperties !== undefined && { additionalProperties }),
          ...(number > 7 && rarer),
        };
      });
  }

  #rarer(): fc.Arbitrary<Schema> {
    const names = fc.uniqueArray(name, { minLength: 1, maxLength: 2 });
    const dependentRequired = fc.dictionary(name, names, { maxKeys: 2, noNullPrototype: true });
    const dependentSchemas = fc.dictionary(
      name,
      names.map((required) => ({ required })),
      { maxKeys: 2, noNullPrototype: true },
    );
    return fc
      .record(
        {
          patternProperties: fc.dictionary(fc.constantFrom(...NAME_PATTERNS), this.#leaf(), {
            minKeys: 1,
            maxKeys: 2,
            noNullPrototype: true,
          }),
          minProperties: size,
          maxProperties: fc.integer({ min: 2, max: 5 }),
          propertyNames: fc.constantFrom(
            { pattern: '^[^ ]+$' },
            { maxLength: 9 },
            { enum: [...NAMES, ...MORE_NAMES, 'kind', 'x-a'] },
          ),
          unevaluatedProperties: fc.boolean(),
          dependentRequired,
          dependentSchemas,
        },
        { requiredKeys: [] },
      )
      .map(({ dependentRequired: lists, dependentSchemas: schemas, unevaluatedProperties: rest, ...both }) =>
        this.#isOld
          ? { ...both, ...((lists ?? schemas) && { dependencies: lists ?? schemas }) }
          : {
              ...both,
              ...(lists && { dependentRequired: lists }),
              ...(schemas && { dependentSchemas: schemas }),
              ...(rest !== undefined && { unevaluatedProperties: rest }),
            },
      );
  }

  /** What is said of the arguments together. */
  #combined(): fc.Arbitrary<Schema> {
    const more = fc.constantFrom(...MORE_NAMES);
    const part = this.#object(1, false, more).map((one) => omit(one, 'additionalProperties'));
    const needs = fc.oneof(name, more).map((one) => ({ required: [one] }));
    const kind = fc.constantFrom('open', 'closed').chain((value) =>
      part.map((one) => ({
        ...one,
        properties: { ...(one['properties'] as object), kind: { const: value } },
        required: [...new Set([...((one['required'] as string[] | undefined) ?? []), 'kind'])],
      })),
    );
    return fc.oneof(
      fc.array(needs, { minLength: 1, maxLength: 3 }).map((anyOf) => ({ anyOf })),
      fc.array(needs, { minLength: 2, maxLength: 2 }).map((oneOf) => ({ oneOf })),
      fc.array(kind, { minLength: 2, maxLength: 2 }).map((oneOf) => ({ oneOf, additionalProperties: true })),
      fc.tuple(part, needs).map((allOf) => ({ allOf })),
      needs.map((not) => ({ not })),
      fc.tuple(needs, needs, part).map(([condition, yes, no]) => ({ if: condition, then: yes, else: no })),
    );
  }
}

function omit(schema: Schema, key: string): Schema {
  return Object.fromEntries(Object.entries(schema).filter(([name]) => name !== key));
}
