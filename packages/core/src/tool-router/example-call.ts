import { type $ZodType, type $ZodTypes, safeParseAsync } from 'zod/v4/core';
import type { ToolDefinition } from '../protocol/tool-definition.ts';
import { makeExampleTag, exampleValue } from '../tool-spec/example-tag.ts';
import { primaryParam } from './split-argument.ts';

/** What a literal example is made from. */
export interface TagSource {
  readonly definition: Pick<ToolDefinition, 'spec' | 'params'>;
  /** Values that are good already, by parameter. */
  readonly known: Readonly<Record<string, unknown>>;
}

/** A literal call that works in the place of the call it replaces. */
export async function exampleCall({ definition, known }: TagSource): Promise<string> {
  return makeExampleTag(definition.spec, { ...(await unusualValues(definition)), ...known });
}

/** Values for the parameters an example has to have, where the schema would not take the usual one. */
async function unusualValues({ spec, params }: TagSource['definition']): Promise<Readonly<Record<string, unknown>>> {
  const primary = primaryParam(spec);
  const shown = spec.params.filter((param) => param === primary || !('default' in param));
  const values = new Map<string, unknown>();
  for (const param of shown) {
    const schema = params._zod.def.shape[param.name];
    if (schema === undefined || (await accepts(schema, exampleValue(param, spec.name)))) continue;
    values.set(param.name, await schemaExample(schema));
  }
  return Object.fromEntries(values);
}

/** Levels of nested values that an example may have. */
const DEEPEST = 4;

const TEXTS = [
  'text',
  'a longer text',
  'a text that is as long as it has to be here',
  'x',
  '1',
  'me@example.com',
  'https://example.com',
  '2026-01-31',
  '2026-01-31T12:00:00Z',
  '00000000-0000-4000-8000-000000000000',
];
const NUMBERS = [1, 0, 2, 5, 10, 50, 100, 1000, 0.5, -1];

/** A small value that a schema takes, found by trying; undefined when none of the tried ones fits. */
export async function schemaExample(schema: $ZodType, depth = 0): Promise<unknown> {
  if (depth > DEEPEST) return undefined;
  for (const candidate of await candidates(schema as $ZodTypes, depth)) {
    if (await accepts(schema, candidate)) return candidate;
  }
  return undefined;
}

async function candidates(schema: $ZodTypes, depth: number): Promise<readonly unknown[]> {
  const { def } = schema._zod;
  const inside = (inner: $ZodType) => schemaExample(inner, depth + 1);
  switch (def.type) {
    case 'string':
      return TEXTS;
    case 'number':
      return NUMBERS;
    case 'boolean':
      return [true, false];
    case 'enum':
    case 'literal':
      return [...(schema._zod.values ?? [])];
    case 'array': {
      const item = await inside(def.element);
      return [[item], [], [item, item]];
    }
    case 'object':
      return [await required(def.shape, inside)];
    case 'union':
      return Promise.all(def.options.map(inside));
    case 'lazy':
      return [await inside(def.getter())];
    case 'pipe':
      return [await inside(def.in)];
    default:
      return 'innerType' in def ? [await inside(def.innerType)] : [{}, 'text'];
  }
}

type Example = (inner: $ZodType) => Promise<unknown>;

/** Only what has to be there. */
async function required(shape: Readonly<Record<string, $ZodType>>, example: Example): Promise<object> {
  const fields = new Map<string, unknown>();
  for (const [name, schema] of Object.entries(shape)) {
    if (!(await accepts(schema, undefined))) fields.set(name, await example(schema));
  }
  return Object.fromEntries(fields);
}

/** True when a schema is there and takes a value; false also when it breaks over it. */
export async function accepts(schema: $ZodType | undefined, value: unknown): Promise<boolean> {
  if (schema === undefined) return false;
  try {
    return (await safeParseAsync(schema, value)).success;
  } catch {
    return false;
  }
}
