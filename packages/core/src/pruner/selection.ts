import { ELLIPSIS_COST } from '../protocol/limits.ts';
import { units } from '../text-size/units.ts';
import type { Budget } from './budget.ts';
import { clip } from './clip.ts';
import type { Outline, Section } from './outline.ts';

/** The lines that stay, as indexes. */
export interface Selection {
  readonly kept: ReadonlySet<number>;
  /** The text's last line, when it is an item: it always stays. */
  readonly last: number | undefined;
}

interface Text extends Outline {
  readonly lines: readonly string[];
}

/**
 * Chooses the lines that stay: structure by level, the last line, then items from all sections in turn.
 *
 * @param reserve units kept free for the line that ends the text
 */
export function selectLines(text: Text, budget: Budget, reserve: number): Selection {
  const kept = new Set<number>();
  const structure = keepStructure(text, budget, kept);
  const price = (index: number) => units(clip(text.lines[index]!, budget.itemLine)) + 1;
  const end = text.lines.length - 1;
  const last = text.sections.at(-1)?.items.at(-1) === end ? end : undefined;
  let left = budget.cap - structure - reserve - ELLIPSIS_COST - (last === undefined ? 0 : price(last));
  const open = text.sections.filter((section) => section.heading === undefined || kept.has(section.heading));
  for (const index of inTurn(open)) {
    if (index === last) continue;
    left -= price(index);
    if (left < 0) break;
    kept.add(index);
  }
  if (last !== undefined) kept.add(last);
  return { kept, last };
}

/** Keeps the most important structural lines that fit, and returns the units they use. */
function keepStructure(text: Text, budget: Budget, kept: Set<number>): number {
  let used = 0;
  const byLevel = text.structure.toSorted((a, b) => a.level - b.level || a.index - b.index);
  for (const { index, section } of byLevel) {
    const starts = index === section.heading;
    if (!starts && section.heading !== undefined && !kept.has(section.heading)) continue;
    const blankBefore = starts && index > 0 ? 1 : 0;
    const price = units(clip(text.lines[index]!, budget.headLine)) + 1 + blankBefore;
    if (used + price > budget.structure) break;
    used += price;
    kept.add(index);
  }
  return used;
}

/** The first item of every section, then the second of every section, and so on. */
function* inTurn(sections: readonly Section[]): Generator<number> {
  let open = sections;
  for (let turn = 0; open.length > 0; turn++) {
    open = open.filter(({ items }) => items.length > turn);
    for (const { items } of open) yield items[turn]!;
  }
}
