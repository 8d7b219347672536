import { safeParseAsync, type $ZodIssue, type $ZodObject, type $ZodRawIssue, type $ZodType } from 'zod/v4/core';
import { findNearestName } from '../nearest-name/nearest-name.ts';
import { parseJson } from '../tag-parser/foreign/json-calls.ts';
import { formatCount } from '../text-size/text-size.ts';
import { joinChoices, quoteName, quoteJson, suggestNearest } from './quote-json.ts';

interface Target {
  /** Type: `string`, `int`, `number`, `boolean`, `string[]`, `json`, or alternatives `a|b|c`. */
  readonly type: string;
  /** The parameter's own schema, if any. */
  readonly schema?: $ZodType | undefined;
}

type Coerced =
  | { readonly ok: true; readonly value: unknown }
  /** `nearest` is the choice that was probably meant. */
  | { readonly ok: false; readonly problem: string; readonly nearest?: string | undefined };

/** Marks a value that cannot be converted; it never equals a real value. */
const NO_FIT = Symbol('no fit');

const INTEGER = /^[+-]?\d+$/;
const DECIMAL = /^[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?$/;
const TRUE = new Set(['true', 'yes', 'on', '1']);
const FALSE = new Set(['false', 'no', 'off', '0']);

const RULES: ReadonlyMap<string, (value: unknown) => unknown> = new Map([
  ['string', toPlainText],
  ['int', toInteger],
  ['number', toNumber],
  ['boolean', toBoolean],
  ['string[]', toTextList],
]);

/** Converts a sent value (text, or a value of a JSON call) to the type of a parameter. */
export async function coerce(value: unknown, target: Target): Promise<Coerced> {
  if (value === null && (await accepts(target.schema, null))) return { ok: true, value };
  if (target.type === 'json') return { ok: true, value: await coerceJson(value, target.schema) };
  const rule = RULES.get(target.type);
  if (rule === undefined) return coerceChoice(value, target);
  const result = rule(value);
  if (result !== NO_FIT) return { ok: true, value: result };
  return { ok: false, problem: `expected ${target.type}, got ${quoteJson(value)}` };
}

async function coerceChoice(value: unknown, { type, schema }: Target): Promise<Coerced> {
  const literals = literalsOf(schema);
  const choices = literals.length > 0 ? literals : type.split('|');
  const text = toPlainText(value);
  const choice = typeof text === 'string' ? findChoice(text, choices) : undefined;
  const rules = literals.length > 0 ? [] : choices.map((option) => RULES.get(String(option)));
  const read = rules.map((rule) => rule?.(value) ?? NO_FIT).filter((result) => result !== NO_FIT);
  // A choice in other letters is meant only if nothing else fits.
  const exact = choices.filter((option) => String(option) === text);
  for (const result of [...exact, ...read]) if (await accepts(schema, result)) return { ok: true, value: result };
  const [meant] = choice === undefined ? read : [choice];
  if (meant !== undefined) return { ok: true, value: meant };
  const nearest = typeof text === 'string' ? findNearestName(text, choices.map(String)) : undefined;
  const suggestion = nearest === undefined ? '' : ` (did you mean ${nearest}?)`;
  const expected = choices.length === 1 ? String(choices[0]) : `one of ${joinChoices(choices)}`;
  return { ok: false, problem: `expected ${expected}; got ${quoteJson(value)}${suggestion}`, nearest };
}

/** Reads the literals from the schema, because they may not be strings; the type name only has their spelling. */
function literalsOf(schema: $ZodType | undefined): readonly unknown[] {
  return [...(schema?._zod.values ?? [])].filter((value) => value !== undefined && value !== null);
}

function findChoice(text: string, choices: readonly unknown[]): unknown {
  const folded = text.toLowerCase();
  const exact = choices.find((choice) => String(choice) === text);
  return exact ?? choices.find((choice) => String(choice).toLowerCase() === folded);
}

function toPlainText(value: unknown): unknown {
  if (typeof value === 'string') return value;
  return typeof value === 'number' || typeof value === 'boolean' ? String(value) : NO_FIT;
}

function toNumber(value: unknown): unknown {
  const number = typeof value === 'string' && DECIMAL.test(value) ? Number(value) : value;
  // Adding 0 turns -0 into 0.
  return Number.isFinite(number) ? (number as number) + 0 : NO_FIT;
}

function toInteger(value: unknown): unknown {
  const number = typeof value === 'string' && !INTEGER.test(value) ? NO_FIT : toNumber(value);
  return Number.isSafeInteger(number) ? number : NO_FIT;
}

function toBoolean(value: unknown): unknown {
  const word = String(toPlainText(value)).toLowerCase();
  if (TRUE.has(word)) return true;
  return FALSE.has(word) ? false : NO_FIT;
}

function toTextList(value: unknown): unknown {
  if (typeof value === 'string') {
    const parsed = value.trimStart().startsWith('[') ? parseJson(value) : undefined;
    if (Array.isArray(parsed)) return toTextList(parsed);
    const words = value.split(',').map((word) => word.trim());
    return words.filter((word) => word !== '');
  }
  if (!Array.isArray(value)) return NO_FIT;
  const texts = Array.from(value, toPlainText);
  return texts.includes(NO_FIT) ? NO_FIT : texts;
}

async function coerceJson(value: unknown, schema: $ZodType | undefined): Promise<unknown> {
  if (typeof value !== 'string') return value;
  const parsed = parseJson(value);
  if (parsed === undefined) return value;
  // Text that happens to be valid JSON stays text if only text is accepted.
  const isText = !(await accepts(schema, parsed)) && (await accepts(schema, value));
  return isText ? value : parsed;
}

/** Tests whether a schema exists and accepts a value; false also when it throws. */
export async function accepts(schema: $ZodType | undefined, value: unknown): Promise<boolean> {
  if (schema === undefined) return false;
  try {
    return (await safeParseAsync(schema, value)).success;
  } catch {
    return false;
  }
}

type Issue = $ZodIssue | $ZodRawIssue;
type IssueOf<C extends Issue['code']> = Extract<Issue, { readonly code: C }>;

/** Validated arguments, or what is wrong with them. */
export type Checked =
  | { readonly ok: true; readonly params: Readonly<Record<string, unknown>> }
  | { readonly ok: false; readonly issues: readonly SchemaIssue[] };

/** One problem that a schema reports. */
export interface SchemaIssue {
  /** The invalid parameter; undefined when the arguments are invalid as a whole. */
  readonly name: string | undefined;
  /** Path: `filter.limit` for a part of a parameter, otherwise the parameter's name. */
  readonly path: string;
  readonly text: string;
  /** True if the parameter must not be given. */
  readonly isSurplus?: boolean;
}

const MOST_ALTERNATIVES = 4;

const SIZES: Readonly<Record<string, string>> = { string: 'character', array: 'item', set: 'item', map: 'entry' };
const INTEGERS: ReadonlySet<string | undefined> = new Set(['safeint', 'int32', 'uint32']);
const TYPES: Readonly<Record<string, string>> = { record: 'object', nan: 'NaN' };

/**
 * Validates arguments and fills in defaults.
 *
 * @param sent the values before coercion, by parameter, which issues quote
 */
export async function checkArguments(
  schema: $ZodObject,
  args: Readonly<Record<string, unknown>>,
  sent: ReadonlyMap<string, unknown>,
): Promise<Checked> {
  const result = await safeParseAsync(schema, args, { error: describeIssue, reportInput: true });
  if (result.success) return { ok: true, params: result.data };
  return { ok: false, issues: result.error.issues.flatMap((issue) => listSchemaIssues(issue, sent)) };
}

function listSchemaIssues(issue: $ZodIssue, sent: ReadonlyMap<string, unknown>): readonly SchemaIssue[] {
  if (issue.code !== 'unrecognized_keys' || issue.path.length > 0) return [toSchemaIssue(issue, sent)];
  const [, reason = ''] = /^unknown key [^;:]*(: [^]*)$/.exec(issue.message) ?? [];
  return issue.keys.map((name) => ({
    name,
    path: quoteName(name),
    text: `not allowed here${reason}`,
    isSurplus: true,
  }));
}

function toSchemaIssue(issue: $ZodIssue, sent: ReadonlyMap<string, unknown>): SchemaIssue {
  const steps = issue.path.map(String);
  const [name] = steps;
  const path = steps.map(quoteName).join('.');
  if (name === undefined || issue.code === 'unrecognized_keys' || issue.message === 'required') {
    return { name, path, text: issue.message };
  }
  const value = steps.length === 1 ? sent.get(name) : issue.input;
  if (value === undefined) return { name, path, text: issue.message };
  const comma = issue.message.includes(',') ? ';' : ',';
  return { name, path, text: `${issue.message}${comma} got ${quoteJson(value)}` };
}

/** Describes what a schema expects, in the same words as other problems: `expected at least 3 characters`. */
function describeIssue(issue: $ZodRawIssue): string {
  switch (issue.code) {
    case 'unrecognized_keys':
      return issue.keys.map((key) => describeUnknownKey(key, issue.inst)).join('; ');
    case 'invalid_type':
      return issue.input === undefined ? 'required' : `expected ${describeType(issue)}`;
    case 'invalid_value':
      return `expected ${issue.values.length === 1 ? '' : 'one of '}${joinChoices(issue.values)}`;
    case 'too_small':
    case 'too_big':
      return `expected ${describeBound(issue)}`;
    case 'invalid_format':
      return `expected ${describeFormat(issue)}`;
    case 'not_multiple_of':
      return `expected a multiple of ${issue.divisor}`;
    case 'invalid_union':
      return `expected ${describeUnion(issue)}`;
    case 'invalid_key':
    case 'invalid_element':
      return issue.issues[0]?.message ?? 'expected another value';
    default:
      return 'expected another value';
  }
}

function describeUnknownKey(key: string, inst: $ZodRawIssue['inst']): string {
  const { shape = {} } = (inst?._zod.def ?? {}) as { readonly shape?: object };
  return `unknown key ${quoteName(key)}${suggestNearest(key, Object.keys(shape))}`;
}

function describeType(issue: IssueOf<'invalid_type'>): string {
  const { format } = (('inst' in issue && issue.inst?._zod.def) || {}) as { readonly format?: string };
  return issue.expected === 'number' && INTEGERS.has(format) ? 'int' : (TYPES[issue.expected] ?? issue.expected);
}

function describeBound(issue: IssueOf<'too_small' | 'too_big'>): string {
  const limit = Number(issue.code === 'too_small' ? issue.minimum : issue.maximum);
  const words = issue.code === 'too_small' ? ['at least', 'more than'] : ['at most', 'less than'];
  const relation = issue.exact === true ? 'exactly' : words[issue.inclusive === false ? 1 : 0];
  const size = SIZES[issue.origin];
  return `${relation} ${size === undefined ? limit : formatCount(limit, size)}`;
}

function describeFormat(issue: IssueOf<'invalid_format'>): string {
  const { prefix, suffix, includes, pattern } = issue as Readonly<Record<string, unknown>>;
  if (issue.format === 'starts_with') return `text that starts with ${quoteJson(prefix)}`;
  if (issue.format === 'ends_with') return `text that ends with ${quoteJson(suffix)}`;
  if (issue.format === 'includes') return `text that contains ${quoteJson(includes)}`;
  return issue.format === 'regex' ? `text matching ${String(pattern)}` : issue.format;
}

function describeUnion(issue: IssueOf<'invalid_union'>): string {
  const { options = [], discriminator = 'kind' } = issue as {
    readonly options?: readonly unknown[];
    readonly discriminator?: string;
  };
  if (options.length > 0) return `${discriminator} one of ${joinChoices(options)}`;
  const wanted = issue.errors.flatMap((branch) => branch.slice(0, 1).map(describeBranch));
  return [...new Set(wanted)].slice(0, MOST_ALTERNATIVES).join(' or ') || 'another value';
}

function describeBranch({ message, path }: $ZodIssue): string {
  const wanted = message.replace(/^expected /, '');
  const name = path.map(String).join('.');
  return path.length === 0 ? wanted : message === 'required' ? name : `${name} ${wanted}`;
}

/** Placeholder for a missing value in a call that an error suggests. */
export const PLACEHOLDER = '…';

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
