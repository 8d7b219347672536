import type { z } from 'zod';
import { SchemaDescription } from './schema/describe-schema.ts';
import { isFields, SchemaDocument, type Fields } from './schema/schema-document.ts';

/**
 * Converts a tool's JSON Schema to parameters for `tool`, required ones first, because the first is the argument of a
 * tag. They accept exactly what the JSON Schema accepts, except that formats, references to other documents and patterns
 * that need more than linear time are left to the tool. Checking a value takes bounded work, whatever the schema.
 */
export function toParameters(inputSchema: Fields): z.ZodObject {
  return new SchemaDescription(new SchemaDocument(inputSchema)).describeArguments();
}

/** Lists names and descriptions of the parameters, without converting their schemas. */
export function listParameterDocs({ properties }: Fields): readonly { name: string; doc?: string }[] {
  return Object.entries(isFields(properties) ? properties : {}).map(([name, schema]) => {
    const { description } = Object(schema) as Fields;
    return { name, ...(typeof description === 'string' && { doc: description }) };
  });
}
