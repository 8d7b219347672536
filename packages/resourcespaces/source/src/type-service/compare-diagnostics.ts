import { LineIndex } from './line-index.ts';
import type { SourceDiagnostic } from './source-diagnostic.ts';

/** The errors of one file at one time. */
export interface FileErrors {
  readonly text: string;
  readonly diagnostics: readonly SourceDiagnostic[];
}

/** What came and what went. */
export interface ErrorChange {
  readonly introduced: readonly SourceDiagnostic[];
  readonly fixed: readonly SourceDiagnostic[];
}

/**
 * Compares the errors of a file before and after a change. An error that only moved to another line is the same: two
 * are the same when code, message and the text of their lines are. Of several that are the same, each counts.
 */
export function compareDiagnostics(before: FileErrors, after: FileErrors): ErrorChange {
  return { introduced: without(after, before), fixed: without(before, after) };
}

/** The errors of one that the other has not. */
function without(one: FileErrors, other: FileErrors): readonly SourceDiagnostic[] {
  if (one.diagnostics.length === 0) return [];
  const left = new Map<string, number>();
  for (const key of keysOf(other)) left.set(key, (left.get(key) ?? 0) + 1);
  const keys = keysOf(one);
  return one.diagnostics.filter((_, index) => {
    const key = keys[index] as string;
    const count = left.get(key) ?? 0;
    left.set(key, count - 1);
    return count <= 0;
  });
}

function keysOf({ text, diagnostics }: FileErrors): readonly string[] {
  const lines = new LineIndex(text);
  return diagnostics.map(({ code, message, line }) => `${code}\n${lines.lineText(line - 1).trim()}\n${message}`);
}
