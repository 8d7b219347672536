/** Other text in the place of some code. */
export interface Edit {
  readonly start: number;
  readonly end: number;
  readonly text: string;
}

/** What is put in at the beginning of something, and at its end. */
export interface OuterEdits {
  readonly opened: readonly Edit[];
  readonly closed: readonly Edit[];
}
export const NO_EDITS: OuterEdits = { opened: [], closed: [] };

/** Text that is put in where nothing is taken away. */
export function insertion(at: number, text: string): Edit {
  return { start: at, end: at, text };
}

/**
 * The code with all of its edits; those at the same place stand in the order in which they are given, and those in what
 * another one takes away are left out.
 */
export function edited(code: string, edits: readonly Edit[]): string {
  let text = '';
  let at = 0;
  for (const edit of edits.toSorted((a, b) => a.start - b.start)) {
    if (edit.start < at) continue;
    text += code.slice(at, edit.start) + edit.text;
    at = edit.end;
  }
  return text + code.slice(at);
}
