import { z } from 'zod';

/** A JSON Schema, as far as it is looked at here. */
type Schema = Readonly<Record<string, unknown>>;

/**
 * The parameters of a tool from the JSON Schema that its server sent, required ones first: a tag's argument is the first.
 *
 * What the schema library does not know, regular expressions, and references to other documents are left to the server:
 * a parameter with such a schema takes any value.
 */
export function toParameters(inputSchema: Schema): z.ZodObject {
  const { properties = {}, required = [], $defs, definitions, additionalProperties } = inputSchema;
  const needed = new Set(Array.isArray(required) ? (required as readonly unknown[]) : []);
  const fields = Object.entries(properties as Readonly<Record<string, unknown>>);
  const ordered = [...fields.filter(([name]) => needed.has(name)), ...fields.filter(([name]) => !needed.has(name))];
  const shared = { ...($defs !== undefined && { $defs }), ...(definitions !== undefined && { definitions }) };
  const shape = ordered.map(([name, schema]) => {
    const field = toField(schema, shared);
    return [name, needed.has(name) ? field : field.optional()] as const;
  });
  const object = z.object(Object.fromEntries(shape));
  // A schema that says nothing of other properties allows them; servers mean the ones they list.
  return additionalProperties === true && fields.length === 0 ? object.loose() : object.strict();
}

function toField(schema: unknown, shared: Schema): z.ZodType {
  const plain = simplify(schema);
  if (typeof plain !== 'object' || plain === null) return z.any();
  const { description, examples } = plain as Schema;
  const meta = {
    ...(typeof description === 'string' && { description }),
    ...(Array.isArray(examples) && { examples: examples as unknown[] }),
  };
  return convert({ ...plain, ...(simplify(shared) as Schema) }).meta(meta);
}

function convert(schema: Schema): z.ZodType {
  try {
    // A default is filled in by the server.
    return z.fromJSONSchema({ ...schema, default: undefined });
  } catch {
    return z.any();
  }
}

/** Takes out what would run slowly or reach out: patterns and references to other documents. */
function simplify(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(simplify);
  if (typeof schema !== 'object' || schema === null) return schema;
  const { $ref, ...others } = schema as Schema;
  const kept = Object.entries(others).filter(
    // Of properties with such names the schema is an object.
    ([key, value]) =>
      !((key === 'pattern' || key === 'format') && typeof value === 'string') && key !== 'patternProperties',
  );
  const isLocal = typeof $ref === 'string' && $ref.startsWith('#');
  return { ...Object.fromEntries(kept.map(([key, value]) => [key, simplify(value)])), ...(isLocal && { $ref }) };
}
