import type { FileDigest } from '../file/file-digest.ts';
import { decodeText } from '../file/text-file.ts';
import type { FileChange } from '../journal/planned-undo.ts';
import { showPath } from '../path/show-path.ts';

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

/** Places of a line that stayed, in the old and in the new text, 0-based. */
export type LinePair = readonly [old: number, now: number];

/** Changed lines up to which the fewest are looked for; the time grows with their square. */
const MOST_CHANGES = 400;

/**
 * The lines that two texts have in common, in order: as many as can be, unless very much was changed. Then
 * only those at the beginning and at the end count.
 */
export function matchingLines(old: readonly string[], now: readonly string[]): readonly LinePair[] {
  const shorter = Math.min(old.length, now.length);
  let head = 0;
  while (head < shorter && old[head] === now[head]) head++;
  let tail = 0;
  while (tail < shorter - head && old[old.length - 1 - tail] === now[now.length - 1 - tail]) tail++;
  const middle = between(old.slice(head, old.length - tail), now.slice(head, now.length - tail));
  return [
    ...Array.from({ length: head }, (_, index): LinePair => [index, index]),
    ...middle.map(([one, other]): LinePair => [one + head, other + head]),
    ...Array.from({ length: tail }, (_, index): LinePair => [old.length - tail + index, now.length - tail + index]),
  ];
}

/** How far each diagonal gets: the line of the old text, by how many lines that one is ahead of the new one. */
type Furthest = ReadonlyMap<number, number>;

/** The greedy algorithm of Myers: for every number of changes in turn, how far one gets with that many. */
function between(old: readonly string[], now: readonly string[]): readonly LinePair[] {
  const trace: Furthest[] = [new Map([[1, 0]])];
  for (let changes = 0; changes <= Math.min(old.length + now.length, MOST_CHANGES); changes++) {
    const before = trace[changes] as Furthest;
    const furthest = new Map<number, number>();
    for (let diagonal = -changes; diagonal <= changes; diagonal += 2) {
      const from = origin(diagonal, changes, before);
      let at = (before.get(from) as number) + (from < diagonal ? 1 : 0);
      while (at < old.length && at - diagonal < now.length && old[at] === now[at - diagonal]) at++;
      furthest.set(diagonal, at);
      if (at >= old.length && at - diagonal >= now.length) return walkBack(trace, old.length, now.length);
    }
    trace.push(furthest);
  }
  return [];
}

/** The diagonal that this one is reached from with one change: by a line added, or by one taken away. */
function origin(diagonal: number, changes: number, before: Furthest): number {
  const [removed = -1, added = -1] = [before.get(diagonal - 1), before.get(diagonal + 1)];
  return diagonal === -changes || (diagonal !== changes && removed < added) ? diagonal + 1 : diagonal - 1;
}

function walkBack(trace: readonly Furthest[], oldEnd: number, newEnd: number): readonly LinePair[] {
  const pairs: LinePair[] = [];
  let [old, now] = [oldEnd, newEnd];
  for (let changes = trace.length - 1; changes >= 0; changes--) {
    const before = trace[changes] as Furthest;
    const from = origin(old - now, changes, before);
    const oldStart = before.get(from) as number;
    const newStart = oldStart - from;
    while (old > oldStart && now > newStart) pairs.push([--old, --now]);
    [old, now] = [oldStart, newStart];
  }
  return pairs.toReversed();
}

/** Bytes or characters of both versions together up to which the difference is worked out. */
const LARGEST = 4_000_000;

/** What is different between two versions of a file, in the unified format, or in words where that cannot be. */
export function renderFileChange({ path, before, after }: FileChange): string {
  const shown = showPath(path);
  const [old = 0, now = 0] = [before?.length, after?.length];
  const texts = [before, after].map((bytes) => bytes && (bytes.includes(0) ? null : (decodeText(bytes) ?? null)));
  if (texts.includes(null)) return `${shown}: ${old} -> ${now} bytes that are no text\n`;
  if (old + now > LARGEST) return `${shown}: ${old} -> ${now} bytes, too many to compare\n`;
  return unifiedDiff({ path: shown, before: texts[0] ?? undefined, after: texts[1] ?? undefined });
}

/** A file, and the text that takes its place. */
interface TextChange {
  readonly path: string;
  /** Undefined when nothing is there; without content when that is too large. */
  readonly before: (Pick<FileDigest, 'size'> & { readonly content?: Uint8Array }) | undefined;
  readonly after: string;
}

/** The same for a text that is written: it has characters, whatever it replaces. */
export function renderTextChange({ path, before, after }: TextChange): string {
  const shown = showPath(path);
  const old = before?.content && decodeText(before.content);
  if (before !== undefined && old === undefined)
    return `${shown}: ${before.size} bytes that are no text -> ${after.length} characters`;
  const size = old?.length ?? 0;
  if (size + after.length > LARGEST) return `${shown}: ${size} -> ${after.length} characters, too many to compare`;
  return unifiedDiff({ path: shown, before: old, after });
}
