import type { $ZodType, $ZodTypes } from 'zod/v4/core';
import { accepts } from './accepts.ts';

/** Levels of nested values that an example may have. */
const DEEPEST = 4;

const TEXTS = ['text', '1', 'a@example.com', 'https://example.com', '2026-01-31', '2026-01-31T12:00:00Z'];
const ODD_TEXTS = ['x', 'x'.repeat(8), 'x'.repeat(16), 'x'.repeat(32), '00000000-0000-4000-8000-000000000000'];
const NUMBERS = [1, 0, 2, 5, 10, 50, 100, 1000, 0.5, -1];

/** A small value that a schema takes, found by trying; undefined when none of the tried ones fits. */
export function schemaExample(schema: $ZodType, depth = 0): unknown {
  if (depth > DEEPEST) return undefined;
  return candidates(schema as $ZodTypes, depth).find((candidate) => accepts(schema, candidate));
}

function candidates(schema: $ZodTypes, depth: number): readonly unknown[] {
  const { def } = schema._zod;
  const inside = (inner: $ZodType) => schemaExample(inner, depth + 1);
  switch (def.type) {
    case 'string':
      return [...TEXTS, ...ODD_TEXTS];
    case 'number':
      return NUMBERS;
    case 'boolean':
      return [true, false];
    case 'enum':
    case 'literal':
      return [...(schema._zod.values ?? [])];
    case 'array': {
      const item = inside(def.element);
      return [[item], [], [item, item]];
    }
    case 'object':
      return [required(def.shape, inside)];
    case 'union':
      return def.options.map(inside);
    case 'lazy':
      return [inside(def.getter())];
    case 'pipe':
      return [inside(def.in)];
    default:
      return 'innerType' in def ? [inside(def.innerType)] : [{}, 'text'];
  }
}

/** Only what has to be there. */
function required(shape: Readonly<Record<string, $ZodType>>, inside: (inner: $ZodType) => unknown): object {
  const needed = Object.entries(shape).filter(([, schema]) => !accepts(schema, undefined));
  return Object.fromEntries(needed.map(([name, schema]) => [name, inside(schema)]));
}
