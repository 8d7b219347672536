import { type $ZodType, type $ZodTypes, safeParse } from 'zod/v4/core';
import type { ToolDefinition, ToolSpec } from '../protocol/tool-definition.ts';
import { makeExampleTag, makeExampleValue } from './example-tag.ts';

/** Source of a literal example. */
export interface TagSource {
  readonly definition: Pick<ToolDefinition, 'spec' | 'params' | 'isLazy'>;
  /** Values that are already valid, by parameter. */
  readonly known: Readonly<Record<string, unknown>>;
}

/** Creates a literal call with example values in addition to the known ones. */
export function makeExampleCall({ definition, known }: TagSource): string {
  const unusual = definition.isLazy === true ? {} : findUnusualValues(definition);
  return makeExampleTag(definition.spec, { ...unusual, ...known });
}

/** Cached, because finding them takes many tries, and each display of a place has an example. */
const unusualValues = new WeakMap<ToolSpec, Readonly<Record<string, unknown>>>();

/** Finds values for the required parameters of an example if the schema would not accept the usual ones. */
function findUnusualValues({ spec, params }: TagSource['definition']): Readonly<Record<string, unknown>> {
  const known = unusualValues.get(spec);
  if (known !== undefined) return known;
  const primary = spec.params.find((param) => param.body !== true);
  const required = spec.params.filter((param) => param === primary || !('default' in param));
  const values = new Map<string, unknown>();
  for (const param of required) {
    const schema = params._zod.def.shape[param.name];
    if (schema === undefined || acceptsNow(schema, makeExampleValue(param, spec.name))) continue;
    values.set(param.name, findExample(schema));
  }
  const found = Object.fromEntries(values);
  unusualValues.set(spec, found);
  return found;
}

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

/** Finds a small value that a schema accepts, by trial; returns undefined if it accepts none of those tried. */
export function findExample(schema: $ZodType, depth = 0): unknown {
  if (depth > DEEPEST) return undefined;
  for (const candidate of listCandidates(schema as $ZodTypes, depth))
    if (acceptsNow(schema, candidate)) return candidate;
  return undefined;
}

/** Yields candidates one by one, because making those of a union takes long. */
function* listCandidates(schema: $ZodTypes, depth: number): Generator {
  const { def } = schema._zod;
  const inside = (inner: $ZodType) => findExample(inner, depth + 1);
  switch (def.type) {
    case 'string':
      return yield* TEXTS;
    case 'number':
      return yield* NUMBERS;
    case 'boolean':
      return yield* [true, false];
    case 'enum':
    case 'literal':
      return yield* schema._zod.values ?? [];
    case 'array': {
      const item = inside(def.element);
      return yield* [[item], [], [item, item], [item, item, item, item]];
    }
    case 'object':
      return yield makeRequiredFields(def.shape, depth);
    case 'union':
      for (const option of def.options) yield inside(option);
      return undefined;
    case 'lazy':
      return yield inside(def.getter());
    case 'pipe':
      return yield inside(def.in);
    default:
      return yield* 'innerType' in def ? [inside(def.innerType)] : [{}, 'text'];
  }
}

function makeRequiredFields(shape: Readonly<Record<string, $ZodType>>, depth: number): object {
  const fields: [name: string, value: unknown][] = [];
  for (const [name, schema] of Object.entries(shape)) {
    if (!acceptsNow(schema, undefined)) fields.push([name, findExample(schema, depth + 1)]);
  }
  return Object.fromEntries(fields);
}

/** Returns true if a schema accepts a value synchronously; false also if it throws. */
export function acceptsNow(schema: $ZodType, value: unknown): boolean {
  try {
    return safeParse(schema, value).success;
  } catch {
    return false;
  }
}
