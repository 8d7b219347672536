import type { Span } from '../language/outline.ts';

/** Where a text is to stand. */
export interface TextPlace {
  /** The blanks that its first line begins with there. */
  readonly indent: string;
  /** How lines end there. */
  readonly lineBreak: string;
}

/** A text without empty lines around it. */
export function trimmedText(text: string): string {
  return text.replace(/^(?:[^\S\n]*\r?\n)+/, '').trimEnd();
}

/**
 * A text as it has to be written in a place: all lines are moved as far as the first one, and end as lines do there.
 * The first line comes without blanks before it.
 *
 * @param literals parts of the text that are values; lines that begin in one are not moved
 */
export function fitText(text: string, { indent, lineBreak }: TextPlace, literals: readonly Span[]): string {
  const lines = text.split(/\r?\n/);
  const own = blanks(lines[0] as string);
  const isInPlace = own === indent || standsInPlace(lines, indent);
  let at = 0;
  const fitted = lines.map((line, number) => {
    const start = at;
    at = text.indexOf('\n', at) + 1;
    if (number === 0) return line.slice(own.length);
    const isValue = literals.some((span) => span.start < start && start <= span.end);
    return isInPlace || isValue ? line : moved(line, own, indent);
  });
  return fitted.join(lineBreak);
}

function moved(line: string, from: string, to: string): string {
  if (line.trim() === '') return line.trim();
  if (line.startsWith(from)) return to + line.slice(from.length);
  const less = blanks(line);
  return to.slice(0, Math.max(0, to.length - (from.length - less.length))) + line.slice(less.length);
}

/** True for a text that was cut out of its place: its first line lost its blanks, and the others still have them. */
function standsInPlace(lines: readonly string[], indent: string): boolean {
  if (indent === '' || lines.length === 1 || blanks(lines[0] as string) !== '') return false;
  const last = lines.at(-1) as string;
  const others = lines.slice(1).filter((line) => line.trim() !== '');
  if (!others.every((line) => line.startsWith(indent))) return false;
  // What closes the text stands below its beginning.
  return /^\s*[)}\]]/.test(last) ? blanks(last) === indent : others.every((line) => blanks(line) !== indent);
}

function blanks(line: string): string {
  return /^[^\S\n]*/.exec(line)?.[0] ?? '';
}
