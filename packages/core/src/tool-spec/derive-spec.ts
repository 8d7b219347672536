import { globalRegistry, type $ZodType, type $ZodTypes } from 'zod/v4/core';
import { InvalidSpaceError } from '../errors/bae-error.ts';
import type { ParamSpec, ToolDefinition, ToolSpec } from '../protocol/tool-definition.ts';

const INTEGERS: ReadonlySet<string> = new Set(['safeint', 'int32', 'uint32']);

/** Maximum nesting of schemas that is examined: a schema may contain itself. */
const DEEPEST = 8;

type SpecSource = Pick<ToolDefinition, 'name' | 'description' | 'params'> & {
  readonly body: string | undefined;
  readonly mayBeBody?: string | undefined;
  readonly range: boolean | undefined;
  readonly returns?: string | undefined;
};

/**
 * Derives a tool's signature from its zod schema.
 *
 * @throws InvalidSpaceError if `body` names a parameter that does not exist
 */
export function deriveSpec({ name, description, params, body, mayBeBody, range, returns }: SpecSource): ToolSpec {
  const { shape, catchall } = params._zod.def;
  if (body !== undefined && !(body in shape)) {
    throw new InvalidSpaceError(
      `tool '${name}': body names the parameter '${body}', but its parameters are ${Object.keys(shape).join(', ') || 'none'}.`,
    );
  }
  const list = Object.entries(shape).map(([key, schema]): ParamSpec => {
    const spec = deriveParam(key, schema);
    if (key === body) return { ...spec, body: true };
    return key === mayBeBody ? { ...spec, mayBeBody: true } : spec;
  });
  const others = catchall?._zod.def.type ?? 'never';
  // A tool with the catch-all `z.any()` takes other names, but does not ask for any.
  const [rest, open] = [others !== 'never' && others !== 'any', others === 'any'];
  return {
    name,
    doc: [description, readMeta(params).doc ?? ''].filter((text) => text !== '').join('\n'),
    params: list,
    ...(rest && { rest }),
    ...(open && { open }),
    ...(range === true && { range }),
    ...(returns !== undefined && { returns }),
  };
}

/**
 * Derives one parameter of a signature from its zod schema.
 *
 * @param depth the number of levels of the schema above this one
 */
export function deriveParam(name: string, schema: $ZodType, depth = 0): ParamSpec {
  let current = schema as $ZodTypes;
  let fallback: { default?: unknown } = {};
  // Inside a `nonoptional` there may be an optional schema; the parameter is still required.
  let required = false;
  let { doc, example } = readMeta(schema);
  for (let level = depth; level < DEEPEST; level++) {
    const { def } = current._zod;
    if (!required && fallback.default === undefined) fallback = readFallback(def) ?? fallback;
    required ||= def.type === 'nonoptional';
    const inner = unwrap(current);
    if (inner === undefined) break;
    current = inner;
    const more = readMeta(current);
    doc ??= more.doc;
    example ??= more.example;
  }
  const type = nameType(current, depth);
  const shape =
    depth > 0 ? undefined : type === 'json' ? outline(current) : type === 'string[]' ? `${name},…` : undefined;
  return {
    name,
    type,
    ...fallback,
    ...(doc !== undefined && { doc }),
    ...(example !== undefined && { example }),
    ...(shape !== undefined && { shape }),
  };
}

/** Maximum number of fields of an object whose names are shown. */
const MOST_FIELDS = 6;

/**
 * Outlines the required fields of an object, or of each object of a list: `[{"name":…,"tags":…}]`; `{…}` and `[…]` if
 * they are unknown or too many. For a union, outlines the first alternative that is an object or list. Returns
 * undefined for any other schema.
 */
function outline(schema: $ZodTypes, depth = 0): string | undefined {
  if (depth >= DEEPEST) return undefined;
  let current = schema;
  for (let inner = unwrap(current), level = 0; inner && level < DEEPEST; inner = unwrap(current), level++)
    current = inner;
  const { def } = current._zod;
  if (def.type === 'array') return `[${outline(def.element as $ZodTypes, depth + 1) ?? '…'}]`;
  if (def.type === 'record' || def.type === 'intersection') return '{…}';
  if (def.type === 'union')
    return def.options.map((option) => outline(option as $ZodTypes, depth + 1)).find((one) => one !== undefined);
  if (def.type !== 'object') return undefined;
  const fields = Object.entries(def.shape);
  const required = fields.filter(([, field]) => field._zod.optin === undefined);
  const names = (required.length === 0 ? fields : required).map(([name]) => `${JSON.stringify(name)}:…`);
  return names.length === 0 || names.length > MOST_FIELDS ? '{…}' : `{${names.join(',')}}`;
}

/** Returns the value of a parameter that is left out; undefined if the schema does not define one. */
function readFallback(def: $ZodTypes['_zod']['def']): { readonly default: unknown } | undefined {
  if (def.type === 'default' || def.type === 'prefault') return { default: def.defaultValue };
  return def.type === 'optional' || def.type === 'catch' ? { default: undefined } : undefined;
}

function readMeta(schema: $ZodType): { doc: string | undefined; example: unknown } {
  const meta = globalRegistry.get(schema);
  return { doc: meta?.description, example: (meta?.['examples'] as readonly unknown[] | undefined)?.[0] };
}

/** Returns the schema inside one that only adds a default, a transformation or an option. */
function unwrap(schema: $ZodTypes): $ZodTypes | undefined {
  const { def } = schema._zod;
  // The input of a `preprocess` can be any value; its output is more precise.
  if (def.type === 'pipe') return (def.in._zod.def.type === 'transform' ? def.out : def.in) as $ZodTypes;
  if (def.type === 'lazy') return def.getter() as $ZodTypes;
  const isWrapper = 'innerType' in def && def.type !== 'success' && def.type !== 'promise';
  return isWrapper ? (def.innerType as $ZodTypes) : undefined;
}

function nameType(schema: $ZodTypes, depth: number): string {
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
      return nameUnion(def.options, depth);
    default:
      return 'json';
  }
}

function isText(schema: $ZodType, depth: number): boolean {
  const values = [...(schema._zod.values ?? [])];
  return (
    deriveParam('', schema, depth + 1).type === 'string' ||
    (values.length > 0 && values.every((v) => typeof v === 'string'))
  );
}

/** Names the alternatives, except `null`, which cannot be written in a tag. */
function nameUnion(options: readonly $ZodType[], depth: number): string {
  const alternatives = options.filter((option) => !['null', 'undefined'].includes(option._zod.def.type));
  const names = new Set(alternatives.map((option) => deriveParam('', option, depth + 1).type));
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

/** Maximum number of levels of a type that are named: models read these declarations. */
const DEEPEST_TYPE = 4;
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
  const name = writeType(schema as $ZodTypes, { deepest: DEEPEST_TYPE, isInput: false, hasDocs: false });
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
