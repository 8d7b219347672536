import type { Span } from '../language/outline.ts';

/** The place of a text. */
export interface TextPlace {
  /** The indentation of its first line. */
  readonly indent: string;
  /** The line break to use. */
  readonly lineBreak: string;
}

/** Removes the empty lines around a text. */
export function trimText(text: string): string {
  return text.replace(/^(?:[^\S\n]*\r?\n)+/, '').trimEnd();
}

/**
 * Fits a text into a place: all lines are indented as much more or less as the first one, and get the line breaks of the
 * place. The first line comes without its indentation.
 *
 * @param literals literals in the text; lines that begin in one are not moved
 */
export function fitText(text: string, { indent, lineBreak }: TextPlace, literals: readonly Span[]): string {
  const lines = text.split(/\r?\n/);
  const own = readIndent(lines[0] as string);
  const isInPlace = own === indent || isIndentedFor(lines, indent);
  let at = 0;
  const moved = lines.map((line, number) => {
    const start = at;
    at = text.indexOf('\n', at) + 1;
    if (number === 0) return line.slice(own.length);
    const isValue = literals.some((span) => span.start < start && start <= span.end);
    return isInPlace || isValue ? line : moveLine(line, own, indent);
  });
  return moved.join(lineBreak);
}

function moveLine(line: string, from: string, to: string): string {
  if (line.trim() === '') return line.trim();
  if (line.startsWith(from)) return to + line.slice(from.length);
  const less = readIndent(line);
  return to.slice(0, Math.max(0, to.length - (from.length - less.length))) + line.slice(less.length);
}

/** True for a text that was cut out of its place: only its first line lost its indentation. */
function isIndentedFor(lines: readonly string[], indent: string): boolean {
  if (indent === '' || lines.length === 1 || readIndent(lines[0] as string) !== '') return false;
  const last = lines.at(-1) as string;
  const others = lines.slice(1).filter((line) => line.trim() !== '');
  if (!others.every((line) => line.startsWith(indent))) return false;
  // In its place, a line that continues the first one is indented deeper.
  if (/[:=>({[]$/.test((lines[0] as string).trimEnd()) && readIndent(others[0] ?? '') === indent) return false;
  // A closing bracket is aligned with the first line.
  return /^\s*[)}\]]/.test(last) ? readIndent(last) === indent : others.every((line) => readIndent(line) !== indent);
}

function readIndent(line: string): string {
  return /^[^\S\n]*/.exec(line)?.[0] ?? '';
}
