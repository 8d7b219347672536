import { ParameterError } from '../errors/call-errors.ts';

/** Where to begin in a kept text, and where to stop; lines and characters count from 1. */
export interface ResultAddress {
  /** Handle of the text: `result:12`. */
  readonly ref: string;
  /** First line; absent for the whole text. */
  readonly line?: number;
  /** Last line; absent for all that follow. */
  readonly lastLine?: number;
  /** First character of the first line, in UTF-16 code units. */
  readonly character?: number;
}

const ADDRESS = /^(result:\d+)(?::(\d+)(?:@(\d+)|([-:])(\d*))?)?$/;

/** Characters of a wrong address that the message about it repeats. */
const LONGEST_QUOTE = 60;

/** True for the argument of a call that reads a kept text, well written or not. */
export function isResultAddress(argument: string): boolean {
  return /^\s*result:/.test(argument);
}

/**
 * Reads `result:12`, `result:12:88-174`, `result:12:88-`, `result:12:88` (one line) or `result:12:1@4001`
 * (line 1 from character 4001 on).
 *
 * @throws ParameterError for anything else
 */
export function parseResultAddress(argument: string): ResultAddress {
  const [, ref, first, character, dash, last] = ADDRESS.exec(argument.trim()) ?? [];
  if (ref === undefined) throw notAnAddress(argument.trim());
  if (first === undefined) return { ref };
  const line = Number(first);
  if (character !== undefined) {
    if (line < 1 || Number(character) < 1) throw badPlace(ref, 'lines and characters count from 1', argument);
    return { ref, line, character: Number(character) };
  }
  const lastLine = lastOf(line, dash, last);
  if (line < 1 || lastLine < line) throw badPlace(ref, 'line range must be 1 ≤ first ≤ last', argument);
  return { ref, line, lastLine };
}

function lastOf(line: number, dash: string | undefined, last: string | undefined): number {
  if (dash === undefined) return line;
  return last === undefined || last === '' ? Infinity : Number(last);
}

function badPlace(ref: string, rule: string, argument: string): ParameterError {
  const got = argument.trim().slice(ref.length + 1);
  return new ParameterError(`${rule} (got ${got}).`, [`<R:${ref}>`]);
}

function notAnAddress(argument: string): ParameterError {
  const fact = `'${argument.slice(0, LONGEST_QUOTE)}' is no address of a kept result.`;
  const remedy = 'Write result:NUMBER, or result:NUMBER:FIRST-LAST for some of its lines.';
  return new ParameterError(`${fact} ${remedy}`, ['<R:result:1>', '<R:result:1:1-20>']);
}
