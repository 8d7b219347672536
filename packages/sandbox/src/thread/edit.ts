/** Replacement for a part of some code. */
export interface Edit {
  readonly start: number;
  readonly end: number;
  readonly text: string;
}

export function insertAt(at: number, text: string): Edit {
  return { start: at, end: at, text };
}

/**
 * Returns the code with its edits; those at the same place are kept in the given order. Edits within replaced code are
 * dropped.
 */
export function insertEdits(code: string, edits: readonly Edit[]): string {
  let text = '';
  let at = 0;
  for (const edit of edits.toSorted((a, b) => a.start - b.start)) {
    if (edit.start < at) continue;
    text += code.slice(at, edit.start) + edit.text;
    at = edit.end;
  }
  return text + code.slice(at);
}
