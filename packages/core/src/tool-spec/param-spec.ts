import { globalRegistry, type $ZodType, type $ZodTypes } from 'zod/v4/core';
import type { ParamSpec } from '../protocol/tool-spec.ts';

const INTEGERS: ReadonlySet<string> = new Set(['safeint', 'int32', 'uint32']);

/** Derives one parameter of a signature from its zod schema. */
export function paramSpec(name: string, schema: $ZodType): ParamSpec {
  let current = schema as $ZodTypes;
  let fallback: { default?: unknown } = {};
  let { doc, example } = notes(schema);
  for (;;) {
    const { def } = current._zod;
    if (def.type === 'default' || def.type === 'prefault') fallback = { default: def.defaultValue };
    else if (def.type === 'optional') fallback = { default: undefined, ...fallback };
    const inner = wrapped(current);
    if (inner === undefined) break;
    current = inner;
    const more = notes(current);
    doc ??= more.doc;
    example ??= more.example;
  }
  const type = typeName(current);
  return { name, type, ...fallback, ...(doc !== undefined && { doc }), ...(example !== undefined && { example }) };
}

function notes(schema: $ZodType): { doc: string | undefined; example: unknown } {
  const meta = globalRegistry.get(schema);
  return { doc: meta?.description, example: (meta?.['examples'] as readonly unknown[] | undefined)?.[0] };
}

/** The schema inside one that only adds a default, a transformation or an option. */
function wrapped(schema: $ZodTypes): $ZodTypes | undefined {
  const { def } = schema._zod;
  switch (def.type) {
    case 'default':
    case 'prefault':
    case 'optional':
    case 'nonoptional':
    case 'nullable':
    case 'readonly':
    case 'catch':
      return def.innerType as $ZodTypes;
    case 'pipe':
      return def.in as $ZodTypes;
    case 'lazy':
      return def.getter() as $ZodTypes;
    default:
      return undefined;
  }
}

function typeName(schema: $ZodTypes): string {
  const { def } = schema._zod;
  switch (def.type) {
    case 'string':
      return 'string';
    case 'boolean':
      return 'boolean';
    case 'number':
      return isInteger(schema) ? 'int' : 'number';
    case 'enum':
      return Object.values(def.entries).join('|');
    case 'literal':
      return def.values.map(String).join('|');
    case 'array':
      return typeName(def.element as $ZodTypes) === 'string' ? 'string[]' : 'json';
    case 'union': {
      const options = def.options.map((option) => typeName(option as $ZodTypes));
      return options.includes('json') ? 'json' : options.join('|');
    }
    default:
      return 'json';
  }
}

function isInteger(schema: $ZodTypes): boolean {
  const { def } = schema._zod;
  if ('format' in def) return INTEGERS.has(String(def.format));
  return (def.checks ?? []).some((check) => {
    const checked = check._zod.def as { readonly check: string; readonly format?: string };
    return checked.check === 'number_format' && INTEGERS.has(checked.format ?? '');
  });
}
