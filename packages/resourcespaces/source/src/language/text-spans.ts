import type { Span } from './outline.ts';

/** A replacement of a range of a text. */
export interface TextEdit extends Span {
  readonly text: string;
}

/** Applies replacements that do not overlap, in any order. */
export function applyEdits(text: string, edits: readonly TextEdit[]): string {
  let result = '';
  let at = 0;
  for (const edit of edits.toSorted((a, b) => a.start - b.start)) {
    result += text.slice(at, edit.start) + edit.text;
    at = edit.end;
  }
  return result + text.slice(at);
}

/** Where an offset is after the replacements before it. */
export function shiftOffset(offset: number, edits: readonly TextEdit[]): number {
  const before = edits.filter(({ start }) => start < offset);
  return before.reduce((sum, { start, end, text }) => sum + text.length - (end - start), offset);
}

/** The ranges of declarations; those with only blanks, separators and comments between them become one. */
export function joinDeclarations(text: string, declarations: readonly Span[]): readonly Span[] {
  const joined: { start: number; end: number }[] = [];
  for (const { start, end } of declarations) {
    const last = joined.at(-1);
    if (last !== undefined && isSeparator(text.slice(last.end, start))) last.end = Math.max(last.end, end);
    else joined.push({ start, end });
  }
  return joined;
}

function isSeparator(text: string): boolean {
  return /^[\s,;]*$/.test(text.replaceAll(/\/\/.*|\/\*[^]*?\*\//g, ''));
}

/** The blanks between the beginning of a line and an index; `''` when there is something else. */
export function findIndent(text: string, index: number): string {
  const indent = text.slice(text.lastIndexOf('\n', index - 1) + 1, index);
  return /^[^\S\n]*$/.test(indent) ? indent.replace('\uFEFF', '') : '';
}

/** A copy of a part of a long text: the part itself would keep the whole text in memory. */
export function copyText(part: string): string {
  return Buffer.from(part).toString();
}

/** The index of the last of some ascending numbers that is at most a limit; -1 when there is none. */
export function findLastAtMost(ascending: readonly number[], limit: number): number {
  let [low, high] = [0, ascending.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((ascending[middle] as number) <= limit) low = middle + 1;
    else high = middle;
  }
  return low - 1;
}
