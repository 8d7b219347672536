import { type $ZodType, type $ZodTypes, safeParseAsync } from 'zod/v4/core';
import type { ToolDefinition } from '../protocol/tool-definition.ts';
import { makeExampleTag, makeExampleValue } from '../tool-spec/example-tag.ts';
import { getPrimaryParam } from './split-argument.ts';

/** What a literal example is made from. */
export interface TagSource {
  readonly definition: Pick<ToolDefinition, 'spec' | 'params'>;
  /** Values that are good already, by parameter. */
  readonly known: Readonly<Record<string, unknown>>;
}

/** A literal call that works in place of the one that failed. */
export async function makeExampleCall({ definition, known }: TagSource): Promise<string> {
  return makeExampleTag(definition.spec, { ...(await findUnusualValues(definition)), ...known });
}

/** Values for the parameters an example has to have, where the schema would not accept the usual one. */
async function findUnusualValues({
  spec,
  params,
}: TagSource['definition']): Promise<Readonly<Record<string, unknown>>> {
  const primary = getPrimaryParam(spec);
  const required = spec.params.filter((param) => param === primary || !('default' in param));
  const values = new Map<string, unknown>();
  for (const param of required) {
    const schema = params._zod.def.shape[param.name];
    if (schema === undefined || (await accepts(schema, makeExampleValue(param, spec.name)))) continue;
    values.set(param.name, await findExample(schema));
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

/** A small value that a schema accepts, found by trying; undefined when it accepts none of those tried. */
export async function findExample(schema: $ZodType, depth = 0): Promise<unknown> {
  if (depth > DEEPEST) return undefined;
  for (const candidate of await listCandidates(schema as $ZodTypes, depth)) {
    if (await accepts(schema, candidate)) return candidate;
  }
  return undefined;
}

async function listCandidates(schema: $ZodTypes, depth: number): Promise<readonly unknown[]> {
  const { def } = schema._zod;
  const inside = (inner: $ZodType) => findExample(inner, depth + 1);
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
      return [await makeRequiredFields(def.shape, depth)];
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

async function makeRequiredFields(shape: Readonly<Record<string, $ZodType>>, depth: number): Promise<object> {
  const fields: [name: string, value: unknown][] = [];
  for (const [name, schema] of Object.entries(shape)) {
    if (!(await accepts(schema, undefined))) fields.push([name, await findExample(schema, depth + 1)]);
  }
  return Object.fromEntries(fields);
}

/** True when there is a schema and it accepts a value; false also when it throws. */
export async function accepts(schema: $ZodType | undefined, value: unknown): Promise<boolean> {
  if (schema === undefined) return false;
  try {
    return (await safeParseAsync(schema, value)).success;
  } catch {
    return false;
  }
}
