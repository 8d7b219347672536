import { INDICATOR_RESERVE, LINE_CAP } from '../protocol/limits.ts';
import type { PrunedText } from '../protocol/pruner.ts';
import { countUnits, isWithinUnits } from '../text-size/text-size.ts';
import { describeRemoved, formatNotice, replaceByNotice, type PruneLimits } from './notice.ts';
import { shortenLine } from './select-lines.ts';

/** Lines of a text, and which of them stay when not all do. */
export interface RankedLines {
  readonly lines: readonly string[];
  /** Rank of each line: the lowest stay first, and of the same rank the first in the text. */
  readonly ranks: readonly number[];
  /** How often a line stands in a row, by the index of the first; the others have the rank Infinity. */
  readonly repeats?: ReadonlyMap<number, number>;
  /** Lines stay with their `numbers`, or nothing shows where lines are missing. Default: gaps are marked. */
  readonly gaps?: 'numbers' | 'none';
  /** True for rows of one search, which are counted without the notes among them. */
  readonly areRows?: boolean;
  /** A line about what is missing, given the indices of the lines that stay. */
  readonly describeLost?: (kept: ReadonlySet<number>) => string | undefined;
}

/** Lines that must stay have this rank or a lower one; they are clipped to `SHORT_LINE` units where they need it. */
export const MUST_STAY = 1;

const SHORT_LINE = 90;
/** Units of the mark of a gap, `… lines 1200-3400`, and of the number before a line. */
const GAP_COST = 22;
const NUMBER_COST = 6;

/** Keeps the lines with the lowest ranks, in their order, with their numbers or with those of the lines between. */
export function pruneRankedLines(text: RankedLines, limits: PruneLimits): PrunedText {
  const { cap, ref } = limits;
  const total = text.lines.length;
  for (let reserve = INDICATOR_RESERVE; reserve < cap; reserve += INDICATOR_RESERVE) {
    const { kept, longest } = selectRanked(text, cap - reserve);
    const { output, clipped } = renderKept(text, kept, longest);
    const items = text.areRows === true ? countRows(text, kept) : { total, shown: kept.size };
    const removed = describeRemoved({ items, headings: { total: 0, shown: 0 }, clipped });
    const indicator =
      formatNext(text, kept, ref) ??
      formatNotice((text.areRows === true ? removed.replace(' items', ' rows') : removed) || 'repeated lines', ref);
    const lost = text.describeLost?.(kept);
    const pruned = [...output, ...(lost === undefined ? [] : [lost]), indicator].join('\n');
    if (isWithinUnits(pruned, cap)) return { text: pruned, report: { ...items, indicator } };
  }
  return replaceByNotice(`${total} -> 0 items`, total, limits);
}

function isRow({ ranks }: RankedLines, index: number): boolean {
  return ranks[index]! > MUST_STAY;
}

function countRows(text: RankedLines, kept: ReadonlySet<number>) {
  const rows = [...text.lines.keys()].filter((index) => isRow(text, index));
  return { total: rows.length, shown: rows.filter((index) => kept.has(index)).length };
}

/** `[38 of 67 rows; next: <R:result:1:39-67>]`, where the rows that stay are the first of all. */
function formatNext(text: RankedLines, kept: ReadonlySet<number>, ref: string | undefined): string | undefined {
  if (text.areRows !== true || ref === undefined) return undefined;
  const { total, shown } = countRows(text, kept);
  for (let index = 0; index < total; index++) {
    if (!isRow(text, index) || kept.has(index) !== index < shown) return undefined;
  }
  return shown === 0 || shown === total
    ? undefined
    : `[${shown} of ${total} rows; next: <R:${ref}:${shown + 1}-${total}>]`;
}

/** The lines that stay, and how long a line may be: long ones are clipped sooner where lines that must stay need it. */
function selectRanked(text: RankedLines, budget: number): { kept: ReadonlySet<number>; longest: number } {
  const longest = Math.min(LINE_CAP, Math.floor(budget / 4));
  const kept = selectWithin(text, budget, longest);
  if (text.ranks.every((rank, index) => rank > MUST_STAY || kept.has(index))) return { kept, longest };
  const shorter = Math.min(SHORT_LINE, longest);
  return { kept: selectWithin(text, budget, shorter), longest: shorter };
}

function selectWithin(text: RankedLines, budget: number, longest: number): Set<number> {
  const { lines, ranks, gaps } = text;
  const kept = new Set<number>();
  const isEdge = (index: number) => index < 0 || index >= lines.length || kept.has(index);
  const order = [...lines.keys()]
    .filter((index) => ranks[index] !== Infinity)
    .toSorted((a, b) => ranks[a]! - ranks[b]!);
  let left = budget - GAP_COST;
  for (const index of order) {
    const newGaps = 1 - Number(isEdge(index - 1)) - Number(isEdge(index + 1));
    const place = gaps === undefined ? newGaps * GAP_COST : gaps === 'numbers' ? NUMBER_COST : 0;
    left -= countUnits(renderLine(text, index, longest)) + 1 + place;
    if (left < 0) break;
    kept.add(index);
  }
  return kept;
}

/** A line as it is shown. What is no row among the rows of a search is a note, which stays whole. */
function renderLine({ lines, ranks, repeats, gaps }: RankedLines, index: number, longest: number): string {
  const isNote = gaps === 'none' && ranks[index]! <= MUST_STAY;
  const short = shortenLine(lines[index]!, isNote ? LINE_CAP : longest);
  const times = repeats?.get(index) ?? 1;
  return times === 1 ? short : `${short} [×${times}]`;
}

function renderKept(text: RankedLines, kept: ReadonlySet<number>, longest: number) {
  const { lines, repeats, gaps } = text;
  const output: string[] = [];
  let clipped = 0;
  let next = 0;
  const markGap = (end: number) => {
    if (gaps === undefined && end > next)
      output.push(end === next + 1 ? `… line ${end}` : `… lines ${next + 1}-${end}`);
  };
  for (const index of [...kept].toSorted((a, b) => a - b)) {
    markGap(index);
    const line = renderLine(text, index, longest);
    if (!line.startsWith(lines[index]!)) clipped++;
    output.push(gaps === 'numbers' ? `${index + 1}: ${line}` : line);
    next = index + (repeats?.get(index) ?? 1);
  }
  markGap(lines.length);
  return { output, clipped };
}
