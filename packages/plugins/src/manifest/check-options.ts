import { findNearestName } from '@bae/core';
import { z } from 'zod';
import type { Plugin } from '../package/read-plugin.ts';
import { limitLength } from '../plugin-error.ts';

type Options = Readonly<Record<string, unknown>>;

/**
 * Checks options against the schema in a manifest. Returns one line for each thing that is wrong.
 *
 * @param place where they are in the configuration: `spaces[0].options`
 */
export function checkMountOptions(
  { name, manifest }: Plugin,
  options: Options | undefined,
  place: string,
): readonly string[] {
  const { options: schema } = manifest;
  if (schema === undefined) return options === undefined ? [] : [`${place}: ${name} takes no options. Remove them.`];
  const checked = readSchema(schema)?.safeParse(options ?? {});
  if (checked === undefined || checked.success) return [];
  const context = { name, schema, options: options ?? {}, place };
  return checked.error.issues.flatMap((issue) => explainOptionIssue(issue, context));
}

/** Undefined for a schema that this version cannot read: then the package itself checks. */
function readSchema(schema: Options): z.ZodType | undefined {
  try {
    return z.fromJSONSchema(schema);
  } catch {
    return undefined;
  }
}

function explainOptionIssue(
  issue: z.core.$ZodIssue,
  { name, schema, options, place }: { name: string; schema: Options; options: Options; place: string },
): readonly string[] {
  const at = [place, ...issue.path.map(String)].join('.');
  const part = findSchemaAt(schema, issue.path);
  if (issue.code === 'unrecognized_keys') {
    const known = Object.keys((part?.['properties'] as object | undefined) ?? {});
    return issue.keys.map((key) => {
      const nearest = findNearestName(key, known);
      const remedy = nearest === undefined ? `There are ${known.join(', ') || 'none'}.` : `Did you mean ${nearest}?`;
      return `${at}.${key}: no such option of ${name}. ${remedy}`;
    });
  }
  const got = quoteOption(findValueAt(options, issue.path), part);
  return [`${at}: expected ${describeOption(issue, part)}; got ${got}.`];
}

/** The author's description of a value, else what the schema requires. */
function describeOption(issue: z.core.$ZodIssue, part: Options | undefined): string {
  const { description, enum: choices, type } = part ?? {};
  if (Array.isArray(choices)) return choices.map((choice) => JSON.stringify(choice)).join(' or ');
  if (typeof description === 'string') return typeof type === 'string' ? `${type} (${description})` : description;
  return issue.code === 'invalid_type' ? issue.expected : issue.message;
}

function quoteOption(value: unknown, part: Options | undefined): string {
  if (value === undefined) return 'nothing';
  const text = limitLength(JSON.stringify(value), 60);
  const choices = part?.['enum'];
  if (typeof value !== 'string' || !Array.isArray(choices)) return text;
  const nearest = findNearestName(value, choices.map(String));
  return nearest === undefined ? text : `${text} (did you mean ${JSON.stringify(nearest)}?)`;
}

function findSchemaAt(schema: Options, path: readonly PropertyKey[]): Options | undefined {
  let part: Options | undefined = schema;
  for (const step of path) {
    const inside: unknown =
      typeof step === 'number' ? part?.['items'] : (part?.['properties'] as Options | undefined)?.[String(step)];
    part = typeof inside === 'object' && inside !== null ? (inside as Options) : undefined;
  }
  return part;
}

function findValueAt(value: unknown, path: readonly PropertyKey[]): unknown {
  return path.reduce<unknown>((inside, step) => (inside as Record<PropertyKey, unknown> | undefined)?.[step], value);
}
