import { LineRangeError } from '../errors/call-errors.ts';
import type { LineRange } from '../protocol/tool-definition.ts';
import { makeExampleCall, type TagSource } from '../tool-spec/example-call.ts';
import { getPrimaryParam } from './split-argument.ts';

/** A target without its line range, or the reason why the range is invalid. */
export type SplitRange =
  | { readonly target: string; readonly range: LineRange | null }
  | { readonly error: 'bad-range' };

// Longer numbers are not line numbers, and would lose precision.
const RANGE = /^(.+?):(\d{1,15})(?:(-)|([-:])(\d{1,15}))?$/s;
/** Other notations for the same, which are converted to the usual form. */
const OTHER_RANGES: readonly RegExp[] = [
  /(?:[:#]|\s)L(\d{1,15})(?:\s?[-:,–]\s?L?(\d{1,15}))?$/,
  /:(\d{1,15})\s?[,–]\s?(\d{1,15})$/,
  /\s\(?(?:lines?|range)[\s=:]+(\d{1,15})(?:\s?[-:,–]\s?(\d{1,15}))?\)?$/,
  /\s(?:start|from|start_line)=(\d{1,15})[\s,]+(?:end|to|end_line)=(\d{1,15})$/,
  /\s(\d{1,15})-(\d{1,15})$/,
];

/**
 * Removes the line range from the end of an argument: `a.py:10-15`, `a.py:10:15`, `a.py:10`, `a.py:10-`; or in the
 * notation of other programs: `a.py#L10-L15`, `a.py lines=10-15`, `a.py start=10 end=15`. Lines count from 1 and the
 * last one is included; in `a.py:47:3`, 3 is a column. A range that starts at line 0, or ends before it starts, is an
 * error.
 */
export function splitRange(arg: string): SplitRange {
  const whole = arg.trim();
  const [, target, first, open, mark, last = first] = RANGE.exec(toUsualRange(whole)) ?? [];
  if (target === undefined) return { target: whole, range: null };
  const start = Number(first);
  // Compilers and stack traces write `a.py:47:3` for line 47, column 3.
  const isColumn = mark === ':' && Number(last) < start && Number(last) > 0;
  const end = open === undefined ? (isColumn ? start : Number(last)) : null;
  if (start < 1 || (end !== null && end < start)) return { error: 'bad-range' };
  return { target: target.trimEnd(), range: [start, end] };
}

function toUsualRange(whole: string): string {
  for (const form of OTHER_RANGES) {
    const found = form.exec(whole);
    if (found !== null && found.index > 0)
      return `${whole.slice(0, found.index).replace(/,$/, '')}:${found[1]}-${found[2] ?? found[1]}`;
  }
  return whole;
}

/** Arguments without a line range, and the range. */
export interface SplitTarget {
  readonly params: Readonly<Record<string, unknown>>;
  readonly range?: LineRange;
  /** Argument with its range, as it was sent. */
  readonly argument?: string;
}

/**
 * Splits the line range off a tool's argument, for a tool that takes ranges.
 *
 * @throws LineRangeError when the range does not make sense
 */
export function splitLineRange({ definition, known: params }: TagSource): SplitTarget {
  const { spec } = definition;
  const name = getPrimaryParam(spec)?.name ?? '';
  const argument = params[name];
  if (spec.range !== true || typeof argument !== 'string') return { params };
  const split = splitRange(argument);
  if (!('error' in split)) {
    return split.range === null
      ? { params }
      : { params: { ...params, [name]: split.target }, range: split.range, argument };
  }
  const [suffix = ''] = /:\d+(?:[-:]\d*)?$/.exec(argument) ?? [];
  const target = `${argument.slice(0, argument.length - suffix.length)}:${guessRange(suffix)}`;
  const example = makeExampleCall({ definition, known: { ...params, [name]: target } });
  const got = suffix.slice(1).replace(':', '-');
  throw new LineRangeError(`line range must be 1 ≤ start ≤ end (got ${got}).`, [example]);
}

/** Guesses the intended range for one that ends before it starts, or starts before the first line. */
function guessRange(suffix: string): string {
  const lines = (suffix.match(/\d+/g) ?? []).map((digits) => Math.max(1, Number(digits)));
  const end = suffix.endsWith('-') ? '' : Math.max(...lines);
  return `${Math.min(...lines)}-${end}`;
}
