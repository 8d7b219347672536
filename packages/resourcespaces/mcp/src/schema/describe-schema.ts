import { z } from 'zod';
import type { ParseContext, ParsePayload } from 'zod/v4/core';
import { listTypes } from './check-scalar.ts';
import { checkValue, sayRequired, toRawIssue, type WorkLimit } from './check-value.ts';
import { describeBounds, describeRules } from './describe-rules.ts';
import {
  isFields,
  isJsonSchema,
  listSchemas,
  type Fields,
  type Schema,
  type SchemaDocument,
} from './schema-document.ts';
import { sampleFormat, samplePattern } from './sample-text.ts';
import { listAlternatives, listSchemaParts, listProperties } from './schema-parts.ts';

/** Maximum number of schemas of zod that one schema becomes, and of levels. */
const MOST_NODES = 600;
const DEEPEST = 10;
/** Maximum number of alternatives that are described. */
const MOST_OPTIONS = 20;
const MOST_EXAMPLES = 3;

/** Work for one check of all arguments, and for those of their parts until the next, in steps. */
const MOST_WORK = 1_000_000;

/** What was gone through on the way to a schema, which may contain itself. */
type Way = ReadonlySet<Fields>;

/**
 * Describes a JSON Schema as one of zod: its structure says what people and models read, and examples are made of. Each
 * of its parts checks values by the JSON Schema itself, so it accepts what the JSON Schema does, whatever the structure
 * leaves out. A value is never changed.
 */
export class SchemaDescription {
  readonly #document: SchemaDocument;
  readonly #work: WorkLimit = { left: MOST_WORK };
  #nodes = 0;

  constructor(document: SchemaDocument) {
    this.#document = document;
  }

  /** Describes the arguments of a tool, required ones first, because the first is the argument of a tag. */
  describeArguments(): z.ZodObject {
    const { root } = this.#document;
    const properties = listProperties(this.#document, listSchemaParts(this.#document, root));
    const names = [...properties.schemas.keys()].filter((name) => name !== '__proto__');
    const isNeeded = (name: string) => properties.required.has(name);
    const ordered = [...names.filter(isNeeded), ...names.filter((name) => !isNeeded(name))];
    const shape = this.#describeFields({ ...properties, names: ordered }, new Set([root]));
    const object = z.object(shape);
    const { others } = properties;
    if (others === false) return this.#bind(object.strict(), root, false);
    // An empty list of properties is written for a tool without parameters.
    const hasNone = isFields(root['properties']) && root['patternProperties'] === undefined;
    const isAskedFor = others !== undefined || (names.length === 0 && !hasNone);
    const catchall = isFields(others) ? this.#describe(others, new Set()) : isAskedFor ? z.custom() : z.any();
    return this.#bind(object.catchall(catchall), root, false);
  }

  /** Makes a schema of zod check values by a JSON Schema. */
  #bind<T extends z.ZodType>(node: T, schema: Schema, isNeeded: boolean): T {
    const isWhole = schema === this.#document.root;
    const run = (payload: ParsePayload, context?: ParseContext) => {
      const { value } = payload;
      if (isWhole) this.#work.left = MOST_WORK;
      const issues =
        value === undefined
          ? [sayRequired([])]
          : checkValue(this.#document, { schema, value, path: [] }, isWhole ? { left: MOST_WORK } : this.#work);
      payload.issues.push(...issues.map((issue) => toRawIssue(issue, context)));
      return payload;
    };
    (node as { _zod: { run: unknown } })._zod.run = run;
    const meta = this.#readMeta(schema, isNeeded);
    if (Object.keys(meta).length > 0) z.globalRegistry.add(node, meta);
    return node;
  }

  #readMeta(
    schema: Schema,
    isNeeded: boolean,
  ): { readonly description?: string; readonly examples?: readonly unknown[] } {
    const parts = listSchemaParts(this.#document, schema);
    if (schema === this.#document.root) return { description: describeRules(parts) };
    const text = parts.map((part) => part['description']).find((one) => typeof one === 'string' && one !== '');
    const own = typeof text === 'string' ? text : '';
    const bounds = describeBounds(parts, own);
    const description = own === '' || bounds === '' ? `${own}${bounds}` : `${own.trimEnd()} (${bounds})`;
    const given = parts.map((part) => part['examples']).find((list) => Array.isArray(list) && list.length > 0);
    const examples = (given as readonly unknown[] | undefined) ?? (isNeeded ? this.#makeExamples(schema, parts) : []);
    return {
      ...(description !== '' && { description }),
      ...(examples.length > 0 && { examples }),
    };
  }

  /** Makes values that nobody could guess from the type. */
  #makeExamples(schema: Schema, parts: readonly Fields[]): readonly unknown[] {
    const choices = listAllowedValues(parts) ?? [];
    const read = (key: string) => parts.map((part) => part[key]).filter((value) => typeof value === 'string');
    const fits = (value: unknown) => checkValue(this.#document, { schema, value, path: [] }, this.#work).length === 0;
    const formats = read('format').flatMap((format) => sampleFormat(format) ?? []);
    // The usual texts tell more than one that is made of a pattern.
    const texts = fits('text') ? formats : [...formats, ...read('pattern').flatMap(samplePattern)];
    const others = choices.some((one) => typeof one === 'object') ? choices : [];
    return [...others, ...texts].filter(fits).slice(0, MOST_EXAMPLES);
  }

  /** @param described what the structure is made of, if not of the schema that checks values */
  #describe(schema: Schema, way: Way, { isNeeded = true, described = schema } = {}): z.ZodType {
    this.#nodes++;
    const parts = listSchemaParts(this.#document, described);
    const isTooMuch = this.#nodes > MOST_NODES || way.size > DEEPEST || parts.some((part) => way.has(part));
    const node = isTooMuch ? z.any() : this.#describeParts(parts, new Set([...way, ...parts.slice(0, 1)]));
    return this.#bind(node, schema, isNeeded);
  }

  #describeParts(parts: readonly Fields[], way: Way): z.ZodType {
    const choices = listAllowedValues(parts);
    if (choices !== undefined) return describeChoices(choices);
    const types = findTypes(parts);
    const conditional =
      types === undefined ? parts.flatMap((part) => [part['then'], part['else']]).filter(isJsonSchema) : [];
    const options = listAlternatives(parts)[0] ?? (conditional.length > 0 ? conditional : undefined);
    if (options !== undefined) return this.#describeOptions(parts, options, way);
    if (types === undefined) return z.any();
    const nodes = types.filter((type) => type !== 'null').map((type) => this.#describeType(type, parts, way));
    const [first] = nodes;
    if (first === undefined) return z.null();
    const node = nodes.length === 1 ? first : z.union(nodes);
    return types.includes('null') ? z.nullable(node) : node;
  }

  /** Describes alternatives, each together with what applies to all of them. */
  #describeOptions(parts: readonly Fields[], options: readonly Schema[], way: Way): z.ZodType {
    const common = parts.map(
      ({ $ref: _r, allOf: _a, anyOf: _o, oneOf: _n, then: _t, else: _e, description: _d, ...rest }) => rest,
    );
    const nodes = options.slice(0, MOST_OPTIONS).map((option) => {
      const isAlone = common.every((part) => Object.keys(part).length === 0);
      return this.#describe(isAlone ? option : { allOf: [option, ...common] }, way);
    });
    return nodes.length === 1 ? nodes[0]! : z.union(nodes);
  }

  #describeType(type: string, parts: readonly Fields[], way: Way): z.ZodType {
    switch (type) {
      case 'string':
        return bound(z.string(), parts, ['minLength', 'maxLength']);
      case 'integer':
        return bound(z.int(), parts, ['minimum', 'maximum']);
      case 'number':
        return bound(z.number(), parts, ['minimum', 'maximum']);
      case 'boolean':
        return z.boolean();
      case 'array':
        return this.#describeList(parts, way);
      default:
        return this.#describeObject(parts, way);
    }
  }

  #describeList(parts: readonly Fields[], way: Way): z.ZodType {
    const key = this.#document.edition === 2020 ? 'prefixItems' : 'items';
    const tuple = parts
      .flatMap((part) => [listSchemas(part[key]), listSchemas(part['items'])])
      .find((list) => list.length > 0);
    if (tuple !== undefined) return z.tuple(tuple.map((one) => this.#describe(one, way)) as [z.ZodType]);
    const items = parts.map((part) => part['items']).filter(isJsonSchema);
    const item = items.length > 1 ? { allOf: items } : (items[0] ?? true);
    // One of the items has to fit; the others may.
    const contained = parts.map((part) => part['contains']).filter(isJsonSchema);
    const described = { allOf: [item, ...contained] };
    return bound(z.array(this.#describe(item, way, { described })), parts, ['minItems', 'maxItems']);
  }

  #describeObject(parts: readonly Fields[], way: Way): z.ZodType {
    const properties = listProperties(this.#document, parts);
    const { others, schemas } = properties;
    const other = isFields(others) ? this.#describe(others, way) : undefined;
    if (schemas.size === 0 && others !== false) return z.record(z.string(), other ?? z.any());
    const object = z.object(this.#describeFields({ ...properties, names: [...schemas.keys()] }, way));
    if (others === false) return object.strict();
    return other === undefined ? object : object.catchall(other);
  }

  #describeFields(
    {
      schemas,
      required,
      names,
    }: Pick<ReturnType<typeof listProperties>, 'schemas' | 'required'> & { readonly names: readonly string[] },
    way: Way,
  ): Record<string, z.ZodType> {
    const fields = names.map((name) => {
      const some = schemas.get(name)!;
      const node = this.#describe(some.length === 1 ? some[0]! : { anyOf: some }, way, {
        isNeeded: required.has(name),
      });
      return [name, required.has(name) ? node : makeOptional(node)] as const;
    });
    return Object.fromEntries(fields);
  }
}

function makeOptional(node: z.ZodType): z.ZodType {
  const optional = z.optional(node);
  const meta = z.globalRegistry.get(node);
  if (meta !== undefined) z.globalRegistry.add(optional, meta);
  return optional;
}

/** Lists the values to choose from, if there are any. */
function listAllowedValues(parts: readonly Fields[]): readonly unknown[] | undefined {
  const lists = parts.flatMap((part) => [
    ...(Object.hasOwn(part, 'const') ? [[part['const']]] : []),
    ...(Array.isArray(part['enum']) ? [part['enum'] as unknown[]] : []),
  ]);
  return lists.toSorted((a, b) => a.length - b.length)[0];
}

function describeChoices(choices: readonly unknown[]): z.ZodType {
  const plain = choices.filter((one) => typeof one === 'string' || typeof one === 'number' || typeof one === 'boolean');
  const others = choices.length - plain.length - (choices.includes(null) ? 1 : 0);
  if (others > 0 || plain.length === 0) return plain.length === 0 && others === 0 ? z.null() : z.any();
  return plain.length < choices.length ? z.nullable(z.literal(plain)) : z.literal(plain);
}

/** Finds the types that all parts of a schema allow, or the type that its keywords are for. */
function findTypes(parts: readonly Fields[]): readonly string[] | undefined {
  const lists = parts.map(listTypes).filter((types) => types !== undefined);
  const [first, ...others] = lists;
  if (first !== undefined) {
    const common = first.filter((type) =>
      others.every((types) => types.includes(type) || (type === 'integer' && types.includes('number'))),
    );
    return common.length > 0 ? common : first;
  }
  return KEYWORDS.find(([, keys]) => parts.some((part) => keys.some((key) => key in part)))?.[0];
}

const KEYWORDS: readonly (readonly [types: readonly string[], keys: readonly string[]])[] = [
  [['object'], ['properties', 'required', 'additionalProperties', 'patternProperties', 'minProperties']],
  [['array'], ['items', 'prefixItems', 'contains', 'minItems', 'uniqueItems']],
  [['string'], ['pattern', 'minLength', 'maxLength', 'format']],
  [['number'], ['minimum', 'maximum', 'exclusiveMinimum', 'exclusiveMaximum', 'multipleOf']],
];

/** Adds the bounds that examples are made by. */
function bound<T extends z.ZodString | z.ZodNumber | z.ZodArray>(
  node: T,
  parts: readonly Fields[],
  [least, most]: readonly [least: string, most: string],
): z.ZodType {
  const read = (key: string) => parts.map((part) => part[key]).filter((value) => typeof value === 'number');
  let bounded: z.ZodType = node;
  for (const value of read(least)) bounded = (bounded as z.ZodString).min(value);
  for (const value of read(most)) bounded = (bounded as z.ZodString).max(value);
  if (node instanceof z.ZodNumber) {
    for (const value of read('exclusiveMinimum')) bounded = (bounded as z.ZodNumber).gt(value);
    for (const value of read('exclusiveMaximum')) bounded = (bounded as z.ZodNumber).lt(value);
    for (const value of read('multipleOf')) if (value > 0) bounded = (bounded as z.ZodNumber).multipleOf(value);
  }
  return bounded;
}
