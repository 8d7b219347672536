import { z } from 'zod';
import { exceeds, measureValue } from './transport/value-size.ts';

/** A JSON Schema, of which only some properties are read here. */
type Schema = Readonly<Record<string, unknown>>;

/** Maximum number of values in the shared parts of a schema, times the parameters that refer to one. */
const MOST_SHARED = 50_000;

/**
 * Converts a tool's JSON Schema to parameters, required ones first, because the first is the argument of a tag.
 *
 * Patterns are matched in time that depends only on the length of the text. Schemas that the schema library does not
 * support, formats, and references to other documents are left to the server: a parameter with such a schema accepts
 * any value.
 */
export function toParameters(inputSchema: Schema): z.ZodObject {
  const { properties = {}, required = [], $defs, definitions, additionalProperties } = inputSchema;
  const needed = new Set(Array.isArray(required) ? (required as readonly unknown[]) : []);
  const fields = Object.entries(properties as Readonly<Record<string, unknown>>);
  const ordered = [...fields.filter(([name]) => needed.has(name)), ...fields.filter(([name]) => !needed.has(name))];
  const shared = { ...($defs !== undefined && { $defs }), ...(definitions !== undefined && { definitions }) };
  const referring = new Set(fields.filter(([, schema]) => hasReference(schema)).map(([name]) => name));
  // Each of them converts the shared parts anew.
  const limit = { characters: Infinity, values: MOST_SHARED / referring.size, depth: Infinity };
  const sharing =
    referring.size > 0 && !exceeds(measureValue(shared, limit), limit) ? (simplify(shared) as Schema) : {};
  const shape = ordered.map(([name, schema]) => {
    const field = toField(schema, referring.has(name) ? sharing : {});
    return [name, needed.has(name) ? field : field.optional()] as const;
  });
  const object = z.object(Object.fromEntries(shape));
  // By default a schema allows additional properties, but servers mean only the listed ones.
  return additionalProperties === true && fields.length === 0 ? object.loose() : object.strict();
}

/** Lists names and descriptions of the parameters, without converting their schemas. */
export function listParameterDocs({ properties = {} }: Schema): readonly { name: string; doc?: string }[] {
  return Object.entries(properties as Readonly<Record<string, unknown>>).map(([name, schema]) => {
    const { description } = Object(schema) as Schema;
    return { name, ...(typeof description === 'string' && { doc: description }) };
  });
}

function toField(schema: unknown, shared: Schema): z.ZodType {
  const plain = simplify(schema);
  if (typeof plain !== 'object' || plain === null) return z.any();
  // Left out of the conversion, because a schema is copied each time that something is added to it.
  const { description, examples, ...constraints } = plain as Schema;
  const meta = {
    ...(typeof description === 'string' && { description }),
    ...(Array.isArray(examples) && { examples: examples as unknown[] }),
  };
  const converted = convert({ ...constraints, ...shared });
  const field = hasPattern(schema)
    ? converted.superRefine((value, context) => checkPatterns({ schema, value, path: [] }, context))
    : converted;
  return Object.keys(meta).length === 0 ? field : field.meta(meta);
}

function hasReference(schema: unknown): boolean {
  return (
    typeof schema === 'object' && schema !== null && ('$ref' in schema || Object.values(schema).some(hasReference))
  );
}

/** Tests whether a schema, or a part of it, has a pattern for text. */
function hasPattern(schema: unknown): boolean {
  if (typeof schema !== 'object' || schema === null) return false;
  const { pattern, items, properties } = schema as Schema;
  return (
    typeof pattern === 'string' || hasPattern(items) || Object.values(Object(properties) as Schema).some(hasPattern)
  );
}

interface PatternCheck {
  readonly schema: unknown;
  readonly value: unknown;
  readonly path: readonly (string | number)[];
}

async function checkPatterns({ schema, value, path }: PatternCheck, context: z.RefinementCtx): Promise<void> {
  if (typeof schema !== 'object' || schema === null) return;
  const { pattern, items, properties = {} } = schema as Schema;
  if (typeof value === 'string' && typeof pattern === 'string') {
    if (!(await matches(pattern, value)))
      context.addIssue({ code: 'custom', path: [...path], message: `expected to match the pattern ${pattern}` });
  } else if (Array.isArray(value)) {
    for (const [index, item] of (value as readonly unknown[]).entries())
      await checkPatterns({ schema: items, value: item, path: [...path, index] }, context);
  } else if (typeof value === 'object' && value !== null) {
    for (const [name, inner] of Object.entries(value))
      await checkPatterns({ schema: (properties as Schema)[name], value: inner, path: [...path, name] }, context);
  }
}

/**
 * Tests whether a text matches a pattern. Returns true for patterns that cannot be matched in linear time (lookaround,
 * back references), which the server checks.
 */
async function matches(pattern: string, text: string): Promise<boolean> {
  const { RE2JS } = await import('re2js');
  try {
    return RE2JS.compile(RE2JS.translateRegExp(pattern)).matcher(text).find();
  } catch {
    return true;
  }
}

function convert(schema: Schema): z.ZodType {
  try {
    // The server fills in defaults.
    return z.fromJSONSchema({ ...schema, default: undefined });
  } catch {
    return z.any();
  }
}

/** Removes patterns, which could be slow, and references to other documents. */
function simplify(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(simplify);
  if (typeof schema !== 'object' || schema === null) return schema;
  const { $ref, ...others } = schema as Schema;
  const kept = Object.entries(others).filter(
    // If a property has such a name, the value is its schema, an object.
    ([key, value]) =>
      !((key === 'pattern' || key === 'format') && typeof value === 'string') && key !== 'patternProperties',
  );
  const isLocal = typeof $ref === 'string' && $ref.startsWith('#');
  return { ...Object.fromEntries(kept.map(([key, value]) => [key, simplify(value)])), ...(isLocal && { $ref }) };
}
