import { ELLIPSIS_COST, HEAD_LINE_CAP, LINE_CAP, STRUCT_SHARE } from '../protocol/limits.ts';
import { countCodePoints, takeFirstUnits, isWithinUnits, countUnits } from '../text-size/text-size.ts';
import type { Outline, Section } from './outline.ts';

/** Division of the units of one pruned text. */
type Budget = ReturnType<typeof divideCap>;

/** Indexes of the lines that are kept. */
export interface Selection {
  readonly kept: ReadonlySet<number>;
  /** Index of the text's last line, if it is an item: it is always kept. */
  readonly last: number | undefined;
}

const NOTE_RESERVE = 24;

/** Divides a cap; below about 1000 units, lines are shortened more, so that several still fit. */
export function divideCap(cap: number) {
  return {
    cap,
    /** Maximum length of all structural lines together, in units. */
    structure: Math.floor(cap * STRUCT_SHARE),
    /** Maximum length up to which an item line, or a structural line, is kept whole. */
    itemLine: Math.min(LINE_CAP, Math.floor(cap / 4)),
    headLine: Math.min(HEAD_LINE_CAP, Math.floor(cap / 8)),
  };
}

/**
 * Shortens a line to at most `max` units (never below 24): keeps its start, followed by the number of removed
 * characters.
 */
export function shortenLine(line: string, max: number): string {
  if (isWithinUnits(line, max)) return line;
  const start = takeFirstUnits(line, max - NOTE_RESERVE);
  return `${start}… [+${countCodePoints(line) - countCodePoints(start)} chars]`;
}

/**
 * Selects the lines to keep: structure by level, the last line, then items from all sections in turn.
 *
 * @param reserve the number of units reserved for the last line, which is the notice
 */
export function selectLines(text: Outline, budget: Budget, reserve: number): Selection {
  const kept = new Set<number>();
  const structure = selectStructure(text, budget, kept);
  const price = (index: number) => countUnits(shortenLine(text.lines[index]!, budget.itemLine)) + 1;
  const end = text.lines.length - 1;
  const last = text.sections.at(-1)?.items.at(-1) === end ? end : undefined;
  let left = budget.cap - structure - reserve - ELLIPSIS_COST - (last === undefined ? 0 : price(last));
  const open = text.sections.filter((section) => section.heading === undefined || kept.has(section.heading));
  for (const index of interleaveItems(open)) {
    if (index === last) continue;
    left -= price(index);
    if (left < 0) break;
    kept.add(index);
  }
  if (last !== undefined) kept.add(last);
  return { kept, last };
}

/** Adds the most important structural lines that fit to `kept`, and returns the number of units they use. */
function selectStructure(text: Outline, budget: Budget, kept: Set<number>): number {
  let used = 0;
  const byLevel = text.structure.toSorted((a, b) => a.level - b.level || a.index - b.index);
  for (const { index, section } of byLevel) {
    const isSectionStart = index === section.heading;
    if (!isSectionStart && section.heading !== undefined && !kept.has(section.heading)) continue;
    const blankBefore = isSectionStart && index > 0 ? 1 : 0;
    const price = countUnits(shortenLine(text.lines[index]!, budget.headLine)) + 1 + blankBefore;
    if (used + price > budget.structure) break;
    used += price;
    kept.add(index);
  }
  return used;
}

/** Yields the first item of every section, then the second of every section, and so on. */
function* interleaveItems(sections: readonly Section[]): Generator<number> {
  let open = sections;
  for (let turn = 0; open.length > 0; turn++) {
    open = open.filter(({ items }) => items.length > turn);
    for (const { items } of open) yield items[turn]!;
  }
}
