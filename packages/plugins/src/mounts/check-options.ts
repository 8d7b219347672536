import { nearestName } from '@bae/core';
import { z } from 'zod';
import type { Plugin } from '../package/plugin.ts';

type Options = Readonly<Record<string, unknown>>;

/**
 * Looks whether options are what a package says it takes, without running it.
 *
 * @param place where they stand: `spaces[0].options`
 * @returns one line for each thing that is wrong
 */
export function checkOptions(
  { name, manifest }: Plugin,
  options: Options | undefined,
  place: string,
): readonly string[] {
  const { options: schema } = manifest;
  if (schema === undefined) return options === undefined ? [] : [`${place}: ${name} takes no options. Remove them.`];
  const checked = schemaOf(schema)?.safeParse(options ?? {});
  if (checked === undefined || checked.success) return [];
  return checked.error.issues.flatMap((issue) => explain(issue, { name, schema, options: options ?? {}, place }));
}

/** A schema that this version cannot read is left to the package itself. */
function schemaOf(schema: Options): z.ZodType | undefined {
  try {
    return z.fromJSONSchema(schema);
  } catch {
    return undefined;
  }
}

interface Given {
  readonly name: string;
  readonly schema: Options;
  readonly options: Options;
  readonly place: string;
}

function explain(issue: z.core.$ZodIssue, given: Given): readonly string[] {
  const at = [given.place, ...issue.path.map(String)].join('.');
  const known = Object.keys((partAt(given.schema, issue.path)?.['properties'] as object | undefined) ?? {});
  if (issue.code === 'unrecognized_keys') {
    return issue.keys.map((key) => {
      const nearest = nearestName(key, known);
      const remedy = nearest === undefined ? `There are ${known.join(', ') || 'none'}.` : `Did you mean ${nearest}?`;
      return `${at}.${key}: no such option of ${given.name}. ${remedy}`;
    });
  }
  return [`${at}: expected ${expected(issue, given)}; got ${shown(valueAt(given.options, issue.path), given, issue)}.`];
}

/** What the author says that a value is, else what the schema says. */
function expected(issue: z.core.$ZodIssue, { schema }: Given): string {
  const part = partAt(schema, issue.path);
  const { description, enum: choices, type } = part ?? {};
  if (Array.isArray(choices)) return choices.map((choice) => JSON.stringify(choice)).join(' or ');
  if (typeof description === 'string') return typeof type === 'string' ? `${type} (${description})` : description;
  return issue.code === 'invalid_type' ? issue.expected : issue.message;
}

function shown(value: unknown, { schema }: Given, { path }: z.core.$ZodIssue): string {
  if (value === undefined) return 'nothing';
  const text = JSON.stringify(value);
  const choices = partAt(schema, path)?.['enum'];
  const nearest =
    typeof value === 'string' && Array.isArray(choices) ? nearestName(value, choices.map(String)) : undefined;
  const short = text.length > 60 ? `${text.slice(0, 59)}…` : text;
  return nearest === undefined ? short : `${short} (did you mean ${JSON.stringify(nearest)}?)`;
}

/** The part of a schema that is about a value. */
function partAt(schema: Options, path: readonly PropertyKey[]): Options | undefined {
  let part: Options | undefined = schema;
  for (const step of path) {
    const inside: unknown =
      typeof step === 'number' ? part?.['items'] : (part?.['properties'] as Options | undefined)?.[String(step)];
    part = typeof inside === 'object' && inside !== null ? (inside as Options) : undefined;
  }
  return part;
}

function valueAt(value: unknown, path: readonly PropertyKey[]): unknown {
  return path.reduce<unknown>((inside, step) => (inside as Record<PropertyKey, unknown> | undefined)?.[step], value);
}
