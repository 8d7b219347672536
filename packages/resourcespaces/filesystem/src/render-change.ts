import { counted, linesOnPage, splitLines, renderNumbered, renderRange } from '@bae/workspace';
import type { TextChange } from './text-change.ts';

const CONTEXT = 2;

/** What was done to a file, and its new lines with two lines of context. */
export function renderChange(change: TextChange, path: string): string {
  return [`${sentence(change)} ${path}`, ...newLines(change, path)].join('\n');
}

function sentence({ first: now, sentFirst: first = now, removed, added, places }: TextChange): string {
  if (places !== undefined) return `Replaced ${places.length} occurrences (lines ${places.join(', ')}) in`;
  if (removed === 0) return `Appended ${counted(added, 'line')} to`;
  const lines = `${removed === 1 ? 'line' : 'lines'} ${renderRange(first, first + removed - 1)}`;
  return added === 0 ? `Deleted ${lines} in` : `Replaced ${lines} (${removed} -> ${added} lines) in`;
}

function newLines({ text, first, added, places }: TextChange, path: string): string[] {
  if (places !== undefined) return [];
  const lines = splitLines(text);
  const from = Math.max(1, first - CONTEXT);
  const to = Math.min(lines.length, first + added - 1 + CONTEXT);
  const shown = lines.slice(from - 1, to);
  if (shown.length === 0) return [];
  const fitting = linesOnPage(shown, 0);
  if (fitting === shown.length) return [renderNumbered(shown, from)];
  const last = from + fitting - 1;
  const next = `next: <R:${path}:${renderRange(last + 1, to)}>`;
  if (fitting === 0) return [`[${next}]`];
  return [
    renderNumbered(shown.slice(0, fitting), from),
    `[lines ${renderRange(from, last)} of ${lines.length}; ${next}]`,
  ];
}
