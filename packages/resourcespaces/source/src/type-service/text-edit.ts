/** A replacement in a text; offsets in UTF-16, the end is behind the last character. */
export interface TextEdit {
  readonly start: number;
  readonly end: number;
  readonly text: string;
}

/** Applies replacements that do not overlap, in whatever order they come. */
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
