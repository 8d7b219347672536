import { INDICATOR_RESERVE, LINE_CAP } from '../protocol/limits.ts';
import type { PrunedText } from '../protocol/pruner.ts';
import { countUnits, isWithinUnits } from '../text-size/units.ts';
import { describeRemoved, formatNotice, replaceByNotice, type PruneLimits } from './notice.ts';
import { shortenLine } from './select-lines.ts';

/** Lines of a text, and which of them stay when not all do. */
export interface RankedLines {
  readonly lines: readonly string[];
  /** Rank of each line: the lowest stay first, and of the same rank the first in the text. */
  readonly ranks: readonly number[];
  /** How often a line stands in a row, by the index of the first; the others have the rank Infinity. */
  readonly repeats?: ReadonlyMap<number, number>;
  /** True when lines stay with their numbers, and gaps without a mark. */
  readonly numbered?: boolean;
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
    const items = { total, shown: kept.size };
    const removed = describeRemoved({ items, headings: { total: 0, shown: 0 }, clipped });
    const indicator = formatNotice(removed || 'repeated lines', ref);
    const pruned = [...output, indicator].join('\n');
    if (isWithinUnits(pruned, cap)) return { text: pruned, report: { ...items, indicator } };
  }
  return replaceByNotice(`${total} -> 0 items`, total, limits);
}

/** The lines that stay, and how long a line may be: long ones are clipped sooner where lines that must stay need it. */
function selectRanked(text: RankedLines, budget: number): { kept: ReadonlySet<number>; longest: number } {
  const longest = Math.min(LINE_CAP, Math.floor(budget / 4));
  const kept = selectWithin(text, budget, longest);
  if (text.ranks.every((rank, index) => rank > MUST_STAY || kept.has(index))) return { kept, longest };
  const shorter = Math.min(SHORT_LINE, longest);
  return { kept: selectWithin(text, budget, shorter), longest: shorter };
}

function selectWithin({ lines, ranks, repeats, numbered }: RankedLines, budget: number, longest: number): Set<number> {
  const kept = new Set<number>();
  const isEdge = (index: number) => index < 0 || index >= lines.length || kept.has(index);
  const order = [...lines.keys()]
    .filter((index) => ranks[index] !== Infinity)
    .toSorted((a, b) => ranks[a]! - ranks[b]!);
  let left = budget - GAP_COST;
  for (const index of order) {
    const newGaps = 1 - Number(isEdge(index - 1)) - Number(isEdge(index + 1));
    const place = numbered === true ? NUMBER_COST : newGaps * GAP_COST;
    left -= countUnits(renderLine(lines[index]!, { longest, times: repeats?.get(index) })) + 1 + place;
    if (left < 0) break;
    kept.add(index);
  }
  return kept;
}

function renderLine(line: string, { longest, times = 1 }: { longest: number; times?: number | undefined }): string {
  const short = shortenLine(line, longest);
  return times === 1 ? short : `${short} [×${times}]`;
}

function renderKept({ lines, repeats, numbered = false }: RankedLines, kept: ReadonlySet<number>, longest: number) {
  const output: string[] = [];
  let clipped = 0;
  let next = 0;
  const markGap = (end: number) => {
    if (!numbered && end > next) output.push(end === next + 1 ? `… line ${end}` : `… lines ${next + 1}-${end}`);
  };
  for (const index of [...kept].toSorted((a, b) => a - b)) {
    markGap(index);
    const times = repeats?.get(index) ?? 1;
    const line = renderLine(lines[index]!, { longest, times });
    if (!line.startsWith(lines[index]!)) clipped++;
    output.push(numbered ? `${index + 1}: ${line}` : line);
    next = index + times;
  }
  markGap(lines.length);
  return { output, clipped };
}
