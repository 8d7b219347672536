import type { ToolDefinition } from '@bae/core';
import { safeParse, type $ZodType } from 'zod/v4/core';
import type { SampleArguments } from './space-samples.ts';

type Param = ToolDefinition['spec']['params'][number];

const TEXTS = ['conformance', 'text', '1', 'https://example.com', 'me@example.com', '2026-01-31'];
const VALUES: readonly unknown[] = [...TEXTS, 1, 0, 10, true, ['one'], {}];

/** Arguments that a tool should take: its own examples, else something its schema takes. Only what is required. */
export function exampleArguments({ spec, params }: Pick<ToolDefinition, 'spec' | 'params'>): SampleArguments {
  const required = spec.params.filter((param) => !('default' in param));
  return Object.fromEntries(required.map((param) => [param.name, exampleOf(param, params._zod.def.shape[param.name])]));
}

/** The parameter that takes the argument of a tag. */
export function firstParam({ spec }: Pick<ToolDefinition, 'spec'>): Param | undefined {
  return spec.params.find(({ body }) => body !== true);
}

function exampleOf({ example, type }: Param, schema: $ZodType | undefined): unknown {
  if (example !== undefined) return example;
  const choices = type.includes('|') ? type.split('|') : [];
  const fits = (value: unknown): boolean => schema !== undefined && accepts(schema, value);
  return [...choices, ...VALUES].find(fits);
}

/** True when a schema takes a value at once. */
export function accepts(schema: $ZodType, value: unknown): boolean {
  try {
    return safeParse(schema, value).success;
  } catch {
    return false;
  }
}
