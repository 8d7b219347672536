import { LineRangeError } from '../errors/call-errors.ts';
import type { LineRange } from '../protocol/tool-definition.ts';
import { splitRange } from '../tag-parser/argument-suffix.ts';
import { type TagSource, exampleCall } from './example-call.ts';
import { primaryParam } from './split-argument.ts';

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
export async function splitLineRange({ definition, known: params }: TagSource): Promise<SplitTarget> {
  const { spec } = definition;
  const name = primaryParam(spec)?.name ?? '';
  const argument = params[name];
  if (spec.range !== true || typeof argument !== 'string') return { params };
  const split = splitRange(argument);
  if ('error' in split) {
    const { message, target } = badRange(argument);
    throw new LineRangeError(message, [await exampleCall({ definition, known: { ...params, [name]: target } })]);
  }
  if (split.range === null) return { params };
  return { params: { ...params, [name]: split.target }, range: split.range, argument };
}

function badRange(argument: string): { readonly message: string; readonly target: string } {
  const [suffix = ''] = /:\d+(?:[-:]\d*)?$/.exec(argument) ?? [];
  const got = suffix.slice(1).replace(':', '-');
  return {
    message: `line range must be 1 ≤ start ≤ end (got ${got}).`,
    target: `${argument.slice(0, argument.length - suffix.length)}:${mend(suffix)}`,
  };
}

/** The likely intention of a range that ends before it starts, or starts before the first line. */
function mend(suffix: string): string {
  const lines = (suffix.match(/\d+/g) ?? []).map((digits) => Math.max(1, Number(digits)));
  const end = suffix.endsWith('-') ? '' : Math.max(...lines);
  return `${Math.min(...lines)}-${end}`;
}
