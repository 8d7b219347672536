import { ConfigurationError, type SpaceSource } from '@bae/core';
import { z } from 'zod';

/** A space that a module exports, and how to have one. */
export interface MadeSpace {
  /** Name of the export; of what a function makes, the name of the space. */
  readonly name: string;
  make(): SpaceSource;
}

type Exports = Readonly<Record<string, unknown>>;

/**
 * The spaces of a module: what its function `spaces(options)` makes, else every export that has an `enter()`:
 * a class, an instance or a record, by itself or in a list.
 *
 * @throws ConfigurationError when its spaces cannot do without options
 */
export function exportedSpaces(exports: Exports): readonly MadeSpace[] {
  const { spaces, options } = exports;
  if (typeof spaces === 'function') return madeSpaces(spaces as (options: unknown) => unknown, defaultsOf(options));
  const found = new Map<unknown, string>();
  for (const [name, value] of Object.entries(exports).flatMap(single)) {
    if (isSpace(value) && (!found.has(value) || found.get(value) === 'default')) found.set(value, name);
  }
  return [...found].map(([space, name]) => ({ name, make: () => space as SpaceSource }));
}

function madeSpaces(spaces: (options: unknown) => unknown, options: unknown): readonly MadeSpace[] {
  const all = (): readonly unknown[] => [spaces(options)].flat();
  return all().map((space, index) => ({
    name: (space as { readonly name?: string }).name ?? `spaces[${index}]`,
    make: () => all()[index] as SpaceSource,
  }));
}

/** What options are when nobody gives any. */
function defaultsOf(schema: unknown): unknown {
  if (!(schema instanceof Object && '_zod' in schema)) return undefined;
  const parsed = z.safeParse(schema as z.ZodType, {});
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  throw new ConfigurationError(
    `its spaces need options: ${issue?.path.join('.')}: ${issue?.message}. ` +
      'Give the options defaults to try it with, or name a module that makes the spaces.',
    ['bae conformance ./MODULE'],
  );
}

function single([name, value]: readonly [string, unknown]): readonly (readonly [string, unknown])[] {
  return Array.isArray(value) ? value.map((one, index) => [`${name}[${index}]`, one] as const) : [[name, value]];
}

function isSpace(value: unknown): boolean {
  const holder: unknown = typeof value === 'function' ? value.prototype : value;
  return typeof holder === 'object' && holder !== null && 'enter' in holder && typeof holder.enter === 'function';
}
