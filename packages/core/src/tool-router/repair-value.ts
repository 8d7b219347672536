import type { $ZodCheck, $ZodObject, $ZodType, $ZodTypes } from 'zod/v4/core';
import type { ParamSpec, ToolDefinition } from '../protocol/tool-definition.ts';
import { findNearestName } from '../nearest-name/nearest-name.ts';
import { acceptsNow, findExample } from '../tool-spec/example-call.ts';
import { findPlaceholder, PLACEHOLDER } from './check-arguments.ts';

/** Maximum length of the JSON of a value in a suggested call, in characters; a longer one is only shown by its shape. */
const LONGEST_SHAPE = 4000;
const DEEPEST = 6;
/** Maximum number of items that are added to a list. */
const MOST_ADDED = 10;

type Fields = Readonly<Record<string, unknown>>;

/** Makes values of the right shape for parameters that take JSON, from what was sent for them. */
export function shapeValues(
  open: readonly ParamSpec[],
  params: ToolDefinition['params'],
  typed: ReadonlyMap<string, unknown>,
): ReadonlyMap<string, unknown> {
  const shapes = new Map<string, unknown>();
  for (const { name } of open) {
    const schema = params._zod.def.shape[name];
    if (schema === undefined) continue;
    const repaired = repairValue(schema, typed.get(name));
    const isLong = (JSON.stringify(repaired) ?? '').length > LONGEST_SHAPE;
    const shape = isLong ? repairValue(schema, undefined) : repaired;
    if (typeof shape !== 'string') shapes.set(name, shape);
  }
  return shapes;
}

/**
 * Returns the value that was probably meant: the accepted parts of the sent one, without unknown fields, and an example
 * or `…` for each part that is wrong or missing.
 */
export function repairValue(schema: $ZodType, sent: unknown, depth = 0): unknown {
  if (sent !== undefined && acceptsNow(schema, sent)) return sent;
  if (depth > DEEPEST) return PLACEHOLDER;
  const repaired = repairParts(schema, sent, depth);
  if (findPlaceholder(repaired, '') !== undefined || acceptsNow(schema, repaired)) return repaired;
  // Each part is right, but not all of them together: a list may need an item of a kind.
  const example = findExample(schema);
  if (!Array.isArray(repaired) || !Array.isArray(example)) return example ?? repaired;
  const longer: readonly unknown[] = [...(repaired as unknown[]), ...(example as unknown[])];
  return acceptsNow(schema, longer) ? longer : example;
}

function repairParts(schema: $ZodType, sent: unknown, depth: number): unknown {
  const { def } = (schema as $ZodTypes)._zod;
  const repair = (inner: $ZodType, value: unknown) => repairValue(inner, value, depth + 1);
  switch (def.type) {
    case 'string':
      return PLACEHOLDER;
    case 'object':
      return repairObject(schema, hasFields(sent) ? sent : {}, repair);
    case 'record': {
      const entries = Object.entries(hasFields(sent) ? sent : {});
      return Object.fromEntries(entries.map(([name, value]) => [name, repair(def.valueType, value)]));
    }
    case 'array': {
      const { least, most } = readLengths(def.checks);
      const items = (Array.isArray(sent) ? sent.slice(0, most) : []).map((item) => repair(def.element, item));
      const missing = Math.max(least, Array.isArray(sent) ? 0 : 1) - items.length;
      const length = Math.min(Math.max(missing, 0), MOST_ADDED);
      return [...items, ...Array.from({ length }, () => repair(def.element, undefined))];
    }
    case 'union': {
      // Only one is repaired: options within options would take exponential time.
      const [nearest] = def.options.toSorted((a, b) => countFitting(b, sent) - countFitting(a, sent));
      return nearest === undefined ? PLACEHOLDER : repair(nearest, sent);
    }
    case 'enum':
    case 'literal': {
      const choices = [...(schema._zod.values ?? [])];
      const nearest = typeof sent === 'string' ? findNearestName(sent, choices.map(String)) : undefined;
      return choices.find((choice) => String(choice) === nearest) ?? choices[0];
    }
    case 'lazy':
      return repair(def.getter(), sent);
    case 'pipe': {
      const value = repair(def.in, sent);
      return value === sent ? repair(def.out, sent) : value;
    }
    default:
      return 'innerType' in def ? repair(def.innerType, sent) : findExample(schema);
  }
}

/** Repairs the fields of an object; those that it does not declare are left out if it does not accept them. */
function repairObject(schema: $ZodType, sent: Fields, repair: (schema: $ZodType, value: unknown) => unknown): Fields {
  const { def } = schema._zod as $ZodObject['_zod'];
  const whole = repairFields(def, sent, repair);
  const declared = Object.entries(whole).filter(([name]) => Object.hasOwn(def.shape, name));
  return acceptsNow(schema, whole) ? whole : Object.fromEntries(declared);
}

function repairFields(
  { shape, catchall }: { readonly shape: Readonly<Record<string, $ZodType>>; readonly catchall?: $ZodType | undefined },
  sent: Fields,
  repair: (schema: $ZodType, value: unknown) => unknown,
): Fields {
  const isOpen = (catchall as $ZodTypes | undefined)?._zod.def.type !== 'never';
  const known = Object.entries(shape).filter(
    ([name, field]) => Object.hasOwn(sent, name) || !acceptsNow(field, undefined),
  );
  const others = Object.entries(sent).filter(([name]) => isOpen && !Object.hasOwn(shape, name));
  return Object.fromEntries([
    ...known.map(([name, field]) => [name, repair(field, Object.hasOwn(sent, name) ? sent[name] : undefined)] as const),
    ...others.map(([name, value]) => [name, catchall === undefined ? value : repair(catchall, value)] as const),
  ]);
}

/** Returns the minimum and maximum number of items that the checks of a list allow. */
function readLengths(checks: readonly $ZodCheck[] = []): { readonly least: number; readonly most: number } {
  let [least, most] = [0, Infinity];
  for (const check of checks) {
    const { minimum, maximum, length } = check._zod.def as {
      readonly minimum?: number;
      readonly maximum?: number;
      readonly length?: number;
    };
    least = Math.max(least, minimum ?? length ?? 0);
    most = Math.min(most, maximum ?? length ?? Infinity);
  }
  return { least, most };
}

/** Counts the fields of a sent value that a schema of an object accepts. */
function countFitting(schema: $ZodType, sent: unknown, depth = 0): number {
  const { def } = (schema as $ZodTypes)._zod;
  if (!hasFields(sent) || depth > DEEPEST) return 0;
  if (def.type === 'lazy') return countFitting(def.getter(), sent, depth + 1);
  if (def.type === 'pipe') return countFitting(def.out, sent, depth + 1);
  if ('innerType' in def) return countFitting(def.innerType, sent, depth + 1);
  if (def.type !== 'object') return 0;
  const { shape } = def;
  return Object.keys(sent).filter((name) => Object.hasOwn(shape, name) && acceptsNow(shape[name]!, sent[name])).length;
}

function hasFields(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
