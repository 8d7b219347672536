import { isErrorLine, normalizeLine } from './error-lines.ts';

/** Line that may stand for left-out lines of the same kind. */
export interface KindedLine {
  readonly text: string;
  /** Number of further lines of its kind that are left out after it. Default: 0 */
  readonly alike?: number | undefined;
}

/** Lines that differ only in their numbers, times and identifiers. */
export interface LineKind {
  /** Indexes of the lines, ascending. */
  readonly indexes: readonly number[];
  /** Number of such lines, with those that are left out. */
  readonly total: number;
}

/** Mark with the number of left-out lines of the same kind: ` [+214 like this]`. */
const ALIKE = / \[\+(\d+) like this\]$/;

/** Formats what is added to the last line that is shown of a kind; empty if no line of this kind is left out. */
export function formatAlike(count = 0): string {
  return count === 0 ? '' : ` [+${count} like this]`;
}

/** Separates a line from what `formatAlike` added to it. */
export function separateAlike(line: string): KindedLine {
  const [mark, count] = ALIKE.exec(line) ?? [];
  return mark === undefined ? { text: line } : { text: line.slice(0, -mark.length), alike: Number(count) };
}

/** Groups lines by kind, in the order of the first line of each. */
export function groupByKind(lines: readonly KindedLine[]): readonly LineKind[] {
  const kinds = new Map<string, { indexes: number[]; total: number }>();
  for (const [index, { text, alike = 0 }] of lines.entries()) {
    const key = normalizeLine(text);
    const kind = kinds.get(key) ?? { indexes: [], total: 0 };
    kind.indexes.push(index);
    kind.total += 1 + alike;
    kinds.set(key, kind);
  }
  return [...kinds.values()];
}

/** Line with a time or a level, as programs log them. */
const LOGGED = /\d\d:\d\d:\d\d|\b(?:TRACE|DEBUG|INFO|WARN(?:ING)?|ERROR|FATAL)\b/;
/** Minimum average number of lines per kind at which lines are shown by kind: in logs, and elsewhere. */
const ALIKE_IN_LOG = 2;
const ALIKE_ELSEWHERE = 8;

/**
 * Returns true for lines that are best shown by kind, as most logs. Elsewhere the numbers are often what is searched
 * for: such lines are best read in order, unless there are only a few kinds.
 */
export function areMostlyAlike(lines: readonly KindedLine[], kinds: readonly LineKind[]): boolean {
  const isLog = lines.filter(({ text }) => LOGGED.test(text)).length * 2 >= lines.length;
  const total = kinds.reduce((sum, kind) => sum + kind.total, 0);
  return kinds.length * (isLog ? ALIKE_IN_LOG : ALIKE_ELSEWHERE) <= total;
}

/** Orders lines by what they tell: the first error of each kind, then the first of any other kind, then the rest. */
export function orderByKind(lines: readonly KindedLine[], kinds: readonly LineKind[]): readonly number[] {
  const firsts = new Set(kinds.map(({ indexes }) => indexes[0]!));
  const classes = lines.map(({ text }, index) => (!firsts.has(index) ? 2 : isErrorLine(text) ? 0 : 1));
  return [...lines.keys()].toSorted((a, b) => classes[a]! - classes[b]!);
}

/** Counts, for the last line of each kind that is kept, the lines of its kind that are not. */
export function countAlike(kinds: readonly LineKind[], kept: { has(index: number): boolean }): Map<number, number> {
  const counts = new Map<number, number>();
  for (const { indexes, total } of kinds) {
    const shown = indexes.filter((index) => kept.has(index));
    const last = shown.at(-1);
    if (last !== undefined && shown.length < total) counts.set(last, total - shown.length);
  }
  return counts;
}

/**
 * Takes at most `count` lines, in order: if most lines are alike, the first of each kind, then others from the top;
 * otherwise simply the first lines. The last line that is taken of a kind gets the number of those that are not.
 */
export function takeByKind<Line extends KindedLine>(lines: readonly Line[], count: number): readonly Line[] {
  if (lines.length <= count) return lines;
  const kinds = groupByKind(lines);
  if (!areMostlyAlike(lines, kinds)) return lines.slice(0, count).map((line) => ({ ...line, alike: undefined }));
  const kept = new Set(orderByKind(lines, kinds).slice(0, count));
  const counts = countAlike(kinds, kept);
  return lines.flatMap((line, index) => (kept.has(index) ? [{ ...line, alike: counts.get(index) ?? 0 }] : []));
}
