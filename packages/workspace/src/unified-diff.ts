import { matchingLines, type LinePair } from './matching-lines.ts';

/** Two versions of a text and what to call them. */
export interface DiffRequest {
  readonly path: string;
  /** Undefined when there was nothing. */
  readonly before: string | undefined;
  /** Undefined when nothing is left. */
  readonly after: string | undefined;
}

/** Lines shown around a change. */
const CONTEXT = 3;

interface DiffLine {
  readonly sign: ' ' | '-' | '+';
  readonly text: string;
}

/**
 * What is different between two texts, in the unified format; empty when nothing is.
 *
 * A carriage return at the end of a line is part of the line, and stays.
 */
export function unifiedDiff({ path, before, after }: DiffRequest): string {
  if (before === after) return '';
  const [old, now] = [linesOf(before ?? ''), linesOf(after ?? '')];
  const lines = diffLines(old, now, matchingLines(old, now));
  const name = (text: string | undefined) => (text === undefined ? '/dev/null' : path);
  return [`--- ${name(before)}`, `+++ ${name(after)}`, ...hunksOf(lines).flatMap(renderHunk), ''].join('\n');
}

/** Lines with their line feeds. */
function linesOf(text: string): readonly string[] {
  return text.match(/[^\n]*\n|[^\n]+/g) ?? [];
}

function diffLines(old: readonly string[], now: readonly string[], pairs: readonly LinePair[]): readonly DiffLine[] {
  const lines: DiffLine[] = [];
  let [oldAt, newAt] = [0, 0];
  const changedUntil = (oldEnd: number, newEnd: number): void => {
    for (const text of old.slice(oldAt, oldEnd)) lines.push({ sign: '-', text });
    for (const text of now.slice(newAt, newEnd)) lines.push({ sign: '+', text });
  };
  for (const [oldNext, newNext] of pairs) {
    changedUntil(oldNext, newNext);
    lines.push({ sign: ' ', text: old[oldNext] as string });
    [oldAt, newAt] = [oldNext + 1, newNext + 1];
  }
  changedUntil(old.length, now.length);
  return lines;
}

interface Hunk {
  /** Lines of the old and of the new text before the hunk. */
  readonly oldBefore: number;
  readonly newBefore: number;
  readonly lines: readonly DiffLine[];
}

/** Groups changes with the lines around them; those that are near one another are one group. */
function hunksOf(lines: readonly DiffLine[]): readonly Hunk[] {
  const hunks: Hunk[] = [];
  let [oldBefore, newBefore, done] = [0, 0, 0];
  const skipTo = (end: number): void => {
    for (; done < end; done++) {
      if (lines[done]?.sign !== '+') oldBefore++;
      if (lines[done]?.sign !== '-') newBefore++;
    }
  };
  for (let at = 0; at < lines.length; at++) {
    if (lines[at]?.sign === ' ') continue;
    skipTo(Math.max(done, at - CONTEXT));
    const end = endOfHunk(lines, at);
    hunks.push({ oldBefore, newBefore, lines: lines.slice(done, end) });
    skipTo(end);
    at = end - 1;
  }
  return hunks;
}

function endOfHunk(lines: readonly DiffLine[], from: number): number {
  let last = from;
  for (let at = from; at < lines.length && at - last <= 2 * CONTEXT + 1; at++) if (lines[at]?.sign !== ' ') last = at;
  return Math.min(last + 1 + CONTEXT, lines.length);
}

function renderHunk({ oldBefore, newBefore, lines }: Hunk): readonly string[] {
  const count = (without: string) => lines.filter(({ sign }) => sign !== without).length;
  return [
    `@@ -${rangeOf(oldBefore, count('+'))} +${rangeOf(newBefore, count('-'))} @@`,
    ...lines.flatMap(({ sign, text }) =>
      text.endsWith('\n') ? [sign + text.slice(0, -1)] : [sign + text, String.raw`\ No newline at end of file`],
    ),
  ];
}

/** First line and number of lines; with no lines, the line before. */
function rangeOf(before: number, size: number): string {
  return `${size === 0 ? before : before + 1}${size === 1 ? '' : `,${size}`}`;
}
