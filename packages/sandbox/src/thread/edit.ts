/** Other text in place of some code. */
export interface Edit {
  readonly start: number;
  readonly end: number;
  readonly text: string;
}

export function insertAt(at: number, text: string): Edit {
  return { start: at, end: at, text };
}

/**
 * The code with all of its edits. Edits at the same place are applied in the order in which they are given; those within
 * code that another one has replaced are dropped.
 */
export function applyEdits(code: string, edits: readonly Edit[]): string {
  let text = '';
  let at = 0;
  for (const edit of edits.toSorted((a, b) => a.start - b.start)) {
    if (edit.start < at) continue;
    text += code.slice(at, edit.start) + edit.text;
    at = edit.end;
  }
  return text + code.slice(at);
}
