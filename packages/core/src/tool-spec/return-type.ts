import type { $ZodType, $ZodTypes } from 'zod/v4/core';

/** Levels of a type that are named, and characters of its name: declarations are read by models. */
const DEEPEST = 4;
const LONGEST = 240;

/** The TypeScript type of what a schema gives: `{ id: number; tags?: string[] }`. What is too long is `unknown`. */
export function nameReturnType(schema: $ZodType): string {
  const name = nameReturned(schema as $ZodTypes, 0);
  return name.length <= LONGEST ? name : 'unknown';
}

function nameReturned(schema: $ZodTypes, depth: number): string {
  const { def } = schema._zod;
  if (depth > DEEPEST) return 'unknown';
  const name = (inner: $ZodType) => nameReturned(inner as $ZodTypes, depth + 1);
  switch (def.type) {
    case 'string':
    case 'template_literal':
    case 'date':
      return 'string';
    case 'number':
      return 'number';
    case 'boolean':
    case 'null':
    case 'undefined':
      return def.type;
    case 'enum':
    case 'literal':
      return [...(schema._zod.values ?? [])].map((value) => JSON.stringify(value) ?? 'undefined').join(' | ');
    case 'array':
    case 'set':
      return `${wrapUnion(name(def.type === 'array' ? def.element : def.valueType))}[]`;
    case 'tuple':
      return `[${def.items.map(name).join(', ')}]`;
    case 'record':
    case 'map':
      return `Record<string, ${name(def.valueType)}>`;
    case 'object':
      return nameObject(def.shape, name);
    case 'union':
      return [...new Set(def.options.map(name))].join(' | ');
    case 'nullable':
      return `${name(def.innerType)} | null`;
    case 'pipe':
      return name(def.out);
    case 'optional':
    case 'default':
    case 'prefault':
    case 'readonly':
    case 'catch':
    case 'nonoptional':
      return name(def.innerType);
    default:
      return 'unknown';
  }
}

function nameObject(shape: Readonly<Record<string, $ZodType>>, name: (schema: $ZodType) => string): string {
  const fields = Object.entries(shape).map(([key, field]) => {
    const called = /^[A-Za-z_$][\w$]*$/.test(key) ? key : JSON.stringify(key);
    return `${called}${field._zod.optout === undefined ? '' : '?'}: ${name(field)}`;
  });
  return fields.length === 0 ? '{}' : `{ ${fields.join('; ')} }`;
}

function wrapUnion(type: string): string {
  return type.includes(' | ') ? `(${type})` : type;
}
