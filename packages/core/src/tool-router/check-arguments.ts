import { safeParseAsync, type $ZodIssue, type $ZodObject, type $ZodRawIssue } from 'zod/v4/core';
import { nearestName } from '../nearest-name/nearest-name.ts';
import { expectation } from './expectation.ts';
import { shownName, shownValue } from './shown-value.ts';

/** What a schema says of a tool's arguments. */
export type Checked =
  | { readonly ok: true; readonly params: Readonly<Record<string, unknown>> }
  | { readonly ok: false; readonly issues: readonly SchemaIssue[] };

/** One thing that a schema objects to. */
export interface SchemaIssue {
  /** The parameter at fault; undefined when the schema objects to the arguments as a whole. */
  readonly name: string | undefined;
  /** `filter.limit` for a part of a parameter, else the parameter's name. */
  readonly path: string;
  readonly text: string;
}

/**
 * Validates arguments and fills in defaults.
 *
 * @param sent the values before they were coerced, by parameter: what issues quote
 */
export async function checkArguments(
  schema: $ZodObject,
  args: Readonly<Record<string, unknown>>,
  sent: ReadonlyMap<string, unknown>,
): Promise<Checked> {
  const result = await safeParseAsync(schema, args, { error: wording, reportInput: true });
  if (result.success) return { ok: true, params: result.data };
  return { ok: false, issues: result.error.issues.map((issue) => schemaIssue(issue, sent)) };
}

function wording(issue: $ZodRawIssue): string {
  if (issue.code === 'unrecognized_keys') return issue.keys.map((key) => unknownKey(key, issue.inst)).join('; ');
  return expectation(issue);
}

function unknownKey(key: string, inst: $ZodRawIssue['inst']): string {
  const { shape } = (inst?._zod.def ?? {}) as { readonly shape?: object };
  const near = nearestName(key, Object.keys(shape ?? {}));
  return `unknown key ${shownName(key)}${near === undefined ? '' : ` (did you mean ${near}?)`}`;
}

function schemaIssue(issue: $ZodIssue, sent: ReadonlyMap<string, unknown>): SchemaIssue {
  const steps = issue.path.map(String);
  const [name] = steps;
  const path = steps.map(shownName).join('.');
  if (name === undefined || issue.code === 'unrecognized_keys' || issue.message === 'required') {
    return { name, path, text: issue.message };
  }
  const value = steps.length === 1 ? sent.get(name) : issue.input;
  const comma = issue.message.includes(',') ? ';' : ',';
  return { name, path, text: `${issue.message}${comma} got ${shownValue(value)}` };
}
