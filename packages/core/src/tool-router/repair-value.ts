import type { $ZodCheck, $ZodType, $ZodTypes } from 'zod/v4/core';
import { findNearestName } from '../nearest-name/nearest-name.ts';
import { acceptsNow, findExample } from '../tool-spec/example-call.ts';

/** Placeholder for a missing value in a call that an error suggests. */
export const PLACEHOLDER = '…';

const DEEPEST = 6;

type Fields = Readonly<Record<string, unknown>>;

/**
 * Returns the value that was probably meant: the accepted parts of the sent one, without unknown fields, and an example
 * or `…` for each part that is wrong or missing.
 */
export function repairValue(schema: $ZodType, sent: unknown, depth = 0): unknown {
  if (sent !== undefined && acceptsNow(schema, sent)) return sent;
  if (depth > DEEPEST) return PLACEHOLDER;
  const { def } = (schema as $ZodTypes)._zod;
  const repair = (inner: $ZodType, value: unknown) => repairValue(inner, value, depth + 1);
  switch (def.type) {
    case 'string':
      return PLACEHOLDER;
    case 'object':
      return repairFields(def, hasFields(sent) ? sent : {}, repair);
    case 'record': {
      const entries = Object.entries(hasFields(sent) ? sent : {});
      return Object.fromEntries(entries.map(([name, value]) => [name, repair(def.valueType, value)]));
    }
    case 'array': {
      const { least, most } = readLengths(def.checks);
      const items = (Array.isArray(sent) ? sent : []).map((item) => repair(def.element, item)).slice(0, most);
      const missing = Math.max(least, Array.isArray(sent) ? 0 : 1) - items.length;
      return [...items, ...Array.from({ length: Math.max(missing, 0) }, () => repair(def.element, undefined))];
    }
    case 'union':
      return def.options
        .map((option) => repair(option, sent))
        .toSorted((a, b) => countKept(b, sent) - countKept(a, sent))[0];
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

function repairFields(
  { shape, catchall }: { readonly shape: Readonly<Record<string, $ZodType>>; readonly catchall?: $ZodType | undefined },
  sent: Fields,
  repair: (schema: $ZodType, value: unknown) => unknown,
): Fields {
  const isOpen = (catchall as $ZodTypes | undefined)?._zod.def.type !== 'never';
  const known = Object.entries(shape).filter(([name, field]) => name in sent || !acceptsNow(field, undefined));
  const others = Object.entries(sent).filter(([name]) => isOpen && !Object.hasOwn(shape, name));
  return Object.fromEntries([...known.map(([name, field]) => [name, repair(field, sent[name])] as const), ...others]);
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

/** Counts the fields of a repaired value that are unchanged from the sent one. */
function countKept(repaired: unknown, sent: unknown): number {
  if (!hasFields(repaired) || !hasFields(sent)) return 0;
  return Object.keys(sent).filter((name) => name in repaired && repaired[name] === sent[name]).length;
}

/** Finds the path of the first `…` in a value: `parent.page_id`; returns undefined if there is none. */
export function findPlaceholder(value: unknown, path: string): string | undefined {
  if (value === PLACEHOLDER) return path;
  if (typeof value !== 'object' || value === null) return undefined;
  for (const [key, inner] of Object.entries(value)) {
    const found = findPlaceholder(inner, `${path}.${key}`);
    if (found !== undefined) return found;
  }
  return undefined;
}

function hasFields(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
