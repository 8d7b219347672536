import { safeParseAsync, type $ZodIssue, type $ZodObject, type $ZodRawIssue } from 'zod/v4/core';
import { formatCount } from '../text-size/text-size.ts';
import { joinChoices, quoteName, quoteJson, suggestNearest } from './quote-json.ts';

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
