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

/** A JSON Schema, of which only some properties are read here. */
type Schema = Readonly<Record<string, unknown>>;

/** Names of parameters for text that is usually long. */
const TEXT_NAMES: ReadonlySet<string> = new Set([
  'content',
  'contents',
  'text',
  'body',
  'message',
  'markdown',
  'html',
  'comment',
  'code',
  'script',
  'sql',
  'prompt',
]);

/**
 * Finds the parameter that a text between tags is for: the only one that is named like a long text, otherwise the only
 * required text, or the only text. Undefined if that is not clear.
 */
export function findTextParameter({ properties = {}, required = [] }: Schema): string | undefined {
  const texts = Object.entries(Object(properties) as Schema)
    .filter(([, schema]) => isOpenText(Object(schema) as Schema))
    .map(([name]) => name);
  const needed = Array.isArray(required) ? texts.filter((name) => required.includes(name)) : [];
  const named = texts.filter((name) => TEXT_NAMES.has(name));
  const [candidate, ...others] = [named, needed, texts].find(({ length }) => length > 0) ?? [];
  return others.length === 0 ? candidate : undefined;
}

/** Tests whether a schema accepts any text, and nothing else. */
function isOpenText({ type, ...others }: Schema): boolean {
  return type === 'string' && !['enum', 'const', 'format'].some((key) => key in others);
}
