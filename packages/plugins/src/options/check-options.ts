import { findNearestName } from '@bae/core';
import { z } from 'zod';
import type { Plugin } from '../package/read-plugin.ts';
import { limitLength } from '../plugin-error.ts';
import { findSecretProblem, listSecretNames } from './secret-options.ts';

type Options = Readonly<Record<string, unknown>>;

/**
 * Checks options against the schema in a manifest. Returns one line for each problem.
 *
 * @param place their position in the configuration: `spaces[0].options`
 */
export function checkMountOptions(
  { name, manifest }: Plugin,
  options: Options | undefined,
  place: string,
): readonly string[] {
  const { options: whole } = manifest;
  if (whole === undefined) return options === undefined ? [] : [`${place}: ${name} takes no options. Remove them.`];
  const names = listSecretNames(whole);
  const secrets = names.flatMap((one) => {
    const problem = findSecretProblem(options?.[one]);
    return problem === undefined ? [] : [`${place}.${one}: ${problem}`];
  });
  const given = Object.fromEntries(Object.entries(options ?? {}).filter(([key]) => !names.includes(key)));
  const schema = omitFields(whole, new Set(names.filter((one) => options?.[one] !== undefined)));
  const checked = readSchema(schema)?.safeParse(given);
  if (checked === undefined || checked.success) return secrets;
  const context = { name, schema, options: given, place };
  const others = checked.error.issues.flatMap((issue) => explainOptionIssue(issue, context));
  return [...secrets, ...others];
}

/** Returns the schema of an object without some of its fields. */
function omitFields(schema: Options, names: ReadonlySet<string>): Options {
  const { properties = {}, required = [] } = schema as { properties?: object; required?: readonly string[] };
  const kept = Object.entries(properties).filter(([name]) => !names.has(name));
  return { ...schema, properties: Object.fromEntries(kept), required: required.filter((name) => !names.has(name)) };
}

/** Reads a schema; undefined if this version cannot read it, in which case the package itself checks the options. */
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

/** Returns the author's description of a value or, if there is none, the requirement of the schema. */
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
