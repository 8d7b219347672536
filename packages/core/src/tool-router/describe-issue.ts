import type { $ZodIssue, $ZodRawIssue } from 'zod/v4/core';
import { listChoices, quoteValue } from './quote-value.ts';

type Issue = $ZodIssue | $ZodRawIssue;
type Code<C extends Issue['code']> = Extract<Issue, { readonly code: C }>;

type DiscriminatedUnion = { readonly options?: readonly unknown[]; readonly discriminator?: string };

/** Alternatives of a union that are spelled out. */
const MOST_ALTERNATIVES = 4;

const SIZES: Readonly<Record<string, string>> = { string: 'character', array: 'item', set: 'item', map: 'entry' };
const INTEGERS: ReadonlySet<string | undefined> = new Set(['safeint', 'int32', 'uint32']);
const TYPES: Readonly<Record<string, string>> = { record: 'object', nan: 'NaN' };

/** What a schema wanted instead, in the words of every other problem: `expected at least 3 characters`. */
export function describeIssue(issue: Issue): string {
  switch (issue.code) {
    case 'invalid_type':
      return issue.input === undefined ? 'required' : `expected ${type(issue)}`;
    case 'invalid_value':
      return `expected ${issue.values.length === 1 ? '' : 'one of '}${listChoices(issue.values)}`;
    case 'too_small':
    case 'too_big':
      return `expected ${bound(issue)}`;
    case 'invalid_format':
      return `expected ${format(issue)}`;
    case 'not_multiple_of':
      return `expected a multiple of ${issue.divisor}`;
    case 'invalid_union':
      return `expected ${alternatives(issue)}`;
    case 'invalid_key':
    case 'invalid_element':
      return issue.issues[0]?.message ?? 'expected another value';
    default:
      return 'expected another value';
  }
}

function type(issue: Code<'invalid_type'>): string {
  const { format } = (('inst' in issue && issue.inst?._zod.def) || {}) as { readonly format?: string };
  return issue.expected === 'number' && INTEGERS.has(format) ? 'int' : (TYPES[issue.expected] ?? issue.expected);
}

function bound(issue: Code<'too_small' | 'too_big'>): string {
  const limit = Number(issue.code === 'too_small' ? issue.minimum : issue.maximum);
  const words = issue.code === 'too_small' ? ['at least', 'more than'] : ['at most', 'less than'];
  const relation = issue.exact === true ? 'exactly' : words[issue.inclusive === false ? 1 : 0];
  const size = SIZES[issue.origin];
  return `${relation} ${limit}${size === undefined ? '' : ` ${counted(size, limit)}`}`;
}

function counted(noun: string, count: number): string {
  if (count === 1) return noun;
  return noun.endsWith('y') ? `${noun.slice(0, -1)}ies` : `${noun}s`;
}

function format(issue: Code<'invalid_format'>): string {
  const { prefix, suffix, includes, pattern } = issue as Readonly<Record<string, unknown>>;
  if (issue.format === 'starts_with') return `text that starts with ${quoteValue(prefix)}`;
  if (issue.format === 'ends_with') return `text that ends with ${quoteValue(suffix)}`;
  if (issue.format === 'includes') return `text that contains ${quoteValue(includes)}`;
  return issue.format === 'regex' ? `text matching ${String(pattern)}` : issue.format;
}

function alternatives(issue: Code<'invalid_union'>): string {
  const { options, discriminator = 'kind' } = issue as DiscriminatedUnion;
  if (options !== undefined && options.length > 0) return `${discriminator} one of ${listChoices(options)}`;
  const wanted = issue.errors.flatMap((branch) => (branch[0] === undefined ? [] : [alternative(branch[0])]));
  return [...new Set(wanted)].slice(0, MOST_ALTERNATIVES).join(' or ') || 'another value';
}

function alternative({ message, path }: $ZodIssue): string {
  const wanted = message.replace(/^expected /, '');
  return path.length === 0 ? wanted : `${path.map(String).join('.')} ${wanted}`;
}
