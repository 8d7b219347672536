import { LineRangeError } from '../errors/call-errors.ts';
import type { LineRange } from '../protocol/tool-definition.ts';
import { splitRange } from '../tag-parser/argument-suffix.ts';
import { type TagSource, makeExampleCall } from '../tool-spec/example-call.ts';
import { getPrimaryParam } from './split-argument.ts';

/** Arguments without a line range, and the range. */
export interface SplitTarget {
  readonly params: Readonly<Record<string, unknown>>;
  readonly range?: LineRange;
  /** The argument with its range, as it was sent. */
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

/** The likely intention of a range that ends before it starts, or starts before the first line. */
function guessRange(suffix: string): string {
  const lines = (suffix.match(/\d+/g) ?? []).map((digits) => Math.max(1, Number(digits)));
  const end = suffix.endsWith('-') ? '' : Math.max(...lines);
  return `${Math.min(...lines)}-${end}`;
}
