import { globalRegistry, type $ZodType, type $ZodTypes } from 'zod/v4/core';
import type { ParamSpec } from '../protocol/tool-definition.ts';

const INTEGERS: ReadonlySet<string> = new Set(['safeint', 'int32', 'uint32']);

/** Levels of a schema that are looked into: one that contains itself has no end. */
const DEEPEST = 8;

/** Derives one parameter of a signature from its zod schema. */
export function paramSpec(name: string, schema: $ZodType): ParamSpec {
  return specAt(name, schema, 0);
}

function specAt(name: string, schema: $ZodType, depth: number): ParamSpec {
  let current = schema as $ZodTypes;
  let fallback: { default?: unknown } = {};
  // What lies below a `nonoptional` may be optional again; the parameter is not.
  let required = false;
  let { doc, example } = notes(schema);
  for (let level = depth; level < DEEPEST; level++) {
    const { def } = current._zod;
    if (!required && fallback.default === undefined) fallback = fallbackOf(def) ?? fallback;
    required ||= def.type === 'nonoptional';
    const inner = wrapped(current);
    if (inner === undefined) break;
    current = inner;
    const more = notes(current);
    doc ??= more.doc;
    example ??= more.example;
  }
  const type = typeName(current, depth);
  return { name, type, ...fallback, ...(doc !== undefined && { doc }), ...(example !== undefined && { example }) };
}

/** What a parameter is without a value; undefined when the schema says nothing about it. */
function fallbackOf(def: $ZodTypes['_zod']['def']): { readonly default: unknown } | undefined {
  if (def.type === 'default' || def.type === 'prefault') return { default: def.defaultValue };
  return def.type === 'optional' || def.type === 'catch' ? { default: undefined } : undefined;
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
      // A `preprocess` takes anything; what it makes of it says more.
      return (def.in._zod.def.type === 'transform' ? def.out : def.in) as $ZodTypes;
    case 'lazy':
      return def.getter() as $ZodTypes;
    default:
      return undefined;
  }
}

function typeName(schema: $ZodTypes, depth: number): string {
  const { def } = schema._zod;
  if (depth >= DEEPEST) return 'json';
  switch (def.type) {
    case 'string':
    case 'template_literal':
      return 'string';
    case 'boolean':
      return 'boolean';
    case 'number':
      return isInteger(schema) ? 'int' : 'number';
    case 'enum':
    case 'literal':
      return [...(schema._zod.values ?? [])].map(String).join('|');
    case 'array':
      return isText(def.element, depth) ? 'string[]' : 'json';
    case 'union':
      return unionName(def.options, depth);
    default:
      return 'json';
  }
}

function isText(schema: $ZodType, depth: number): boolean {
  const values = [...(schema._zod.values ?? [])];
  return (
    specAt('', schema, depth + 1).type === 'string' || (values.length > 0 && values.every((v) => typeof v === 'string'))
  );
}

/** The alternatives, except `null`, which cannot be written in a tag. */
function unionName(options: readonly $ZodType[], depth: number): string {
  const alternatives = options.filter((option) => !['null', 'undefined'].includes(option._zod.def.type));
  const names = new Set(alternatives.map((option) => specAt('', option, depth + 1).type));
  return names.has('json') || names.size === 0 ? 'json' : [...names].join('|');
}

function isInteger(schema: $ZodTypes): boolean {
  const { def } = schema._zod;
  if ('format' in def) return INTEGERS.has(String(def.format));
  return (def.checks ?? []).some((check) => {
    const checked = check._zod.def as { readonly check: string; readonly format?: string };
    return checked.check === 'number_format' && INTEGERS.has(checked.format ?? '');
  });
}
