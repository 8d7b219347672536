import { counted, linesOnPage, splitLines, renderNumbered, renderRange } from '@bae/workspace';
import type { TextChange } from './text-change.ts';

const CONTEXT = 2;

/** The file that was changed. */
export interface ChangedFile {
  /** As it is written in tags. */
  readonly path: string;
  /** The tag that reads lines of it: `2-40`. */
  readonly tagOf: (lines: string) => string;
}

/** What was done to a file, and its new lines with two lines of context. */
export function renderChange(change: TextChange, { path, tagOf }: ChangedFile): string {
  return [`${sentence(change)} ${path}`, ...newLines(change, tagOf)].join('\n');
}

function sentence({ first: now, sentFirst: first = now, removed, added, places }: TextChange): string {
  if (places !== undefined) return `Replaced ${places.length} occurrences (lines ${places.join(', ')}) in`;
  if (removed === 0) return `Appended ${counted(added, 'line')} to`;
  const lines = `${removed === 1 ? 'line' : 'lines'} ${renderRange(first, first + removed - 1)}`;
  return added === 0 ? `Deleted ${lines} in` : `Replaced ${lines} (${removed} -> ${added} lines) in`;
}

function newLines({ text, first, added, places }: TextChange, tagOf: ChangedFile['tagOf']): string[] {
  if (places !== undefined) return [];
  const lines = splitLines(text);
  const from = Math.max(1, first - CONTEXT);
  const to = Math.min(lines.length, first + added - 1 + CONTEXT);
  const shown = lines.slice(from - 1, to);
  if (shown.length === 0) return [];
  const fitting = linesOnPage(shown, 0);
  if (fitting === shown.length) return [renderNumbered(shown, from)];
  const last = from + fitting - 1;
  const next = `next: ${tagOf(renderRange(last + 1, to))}`;
  if (fitting === 0) return [`[${next}]`];
  return [
    renderNumbered(shown.slice(0, fitting), from),
    `[lines ${renderRange(from, last)} of ${lines.length}; ${next}]`,
  ];
}
