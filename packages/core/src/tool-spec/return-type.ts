import { globalRegistry, type $ZodType, type $ZodTypes } from 'zod/v4/core';

/** Maximum number of levels of a type that are named: models read these declarations. */
const DEEPEST = 4;
/** Maximum length of the name of a type, in characters. */
const LONGEST = 240;
/** Maximum number of levels of an input type: a schema may contain itself. */
const DEEPEST_TAKEN = 8;

/** Style in which a type is written. */
interface TypeStyle {
  readonly deepest: number;
  /** True for the input type of a schema, false for its output type. */
  readonly isInput: boolean;
  /** True to write the description of each field after it, as a comment. */
  readonly hasDocs: boolean;
}

/**
 * Names the TypeScript type of a schema's output: `{ id: number; tags?: string[] }`. A part that is too long becomes
 * `unknown`.
 */
export function nameReturnType(schema: $ZodType): string {
  const name = writeType(schema as $ZodTypes, { deepest: DEEPEST, isInput: false, hasDocs: false });
  return name.length <= LONGEST ? name : 'unknown';
}

/** Names the full TypeScript type of a schema's input, with the descriptions of its fields as comments if requested. */
export function nameTakenType(schema: $ZodType, hasDocs: boolean): string {
  return writeType(schema as $ZodTypes, { deepest: DEEPEST_TAKEN, isInput: true, hasDocs });
}

function writeType(schema: $ZodTypes, style: TypeStyle): string {
  const { def } = schema._zod;
  if (style.deepest < 0) return 'unknown';
  const inside = { ...style, deepest: style.deepest - 1 };
  const name = (inner: $ZodType) => writeType(inner as $ZodTypes, inside);
  switch (def.type) {
    case 'string':
    case 'template_literal':
    case 'date':
      return 'string';
    case 'bigint':
      return style.isInput ? 'unknown' : 'string';
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
      return nameObject(def, name, style);
    case 'union':
      return [...new Set(def.options.map(name))].join(' | ');
    case 'nullable':
      return `${name(def.innerType)} | null`;
    case 'intersection':
      return `${wrapUnion(name(def.left))} & ${wrapUnion(name(def.right))}`;
    case 'lazy':
      return name(def.getter());
    case 'pipe':
      return name(style.isInput && def.in._zod.def.type !== 'transform' ? def.in : def.out);
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

function nameObject(
  { shape, catchall }: { readonly shape: Readonly<Record<string, $ZodType>>; readonly catchall?: $ZodType | undefined },
  name: (schema: $ZodType) => string,
  { isInput, hasDocs }: TypeStyle,
): string {
  const fields = Object.entries(shape).map(([key, field]) => {
    const called = /^[A-Za-z_$][\w$]*$/.test(key) ? key : JSON.stringify(key);
    const isOptional = (isInput ? field._zod.optin : field._zod.optout) !== undefined;
    const doc = hasDocs ? (globalRegistry.get(field)?.description ?? '').replaceAll(/\s+|\*\//g, ' ').trim() : '';
    return `${called}${isOptional ? '?' : ''}: ${name(field)}${doc === '' ? '' : ` /* ${doc} */`}`;
  });
  // An index signature that allows any further fields is not worth writing.
  const others = isInput && catchall !== undefined && catchall._zod.def.type !== 'never' ? name(catchall) : undefined;
  if (others !== undefined && fields.length === 0) return `Record<string, ${others}>`;
  if (others !== undefined && others !== 'unknown') fields.push(`[field: string]: ${others}`);
  return fields.length === 0 ? '{}' : `{ ${fields.join('; ')} }`;
}

/** Puts a type in parentheses if it has a union outside objects. */
function wrapUnion(type: string): string {
  let outside = type;
  while (/\{[^{}]*\}/.test(outside)) outside = outside.replaceAll(/\{[^{}]*\}/g, '');
  return outside.includes(' | ') ? `(${type})` : type;
}
