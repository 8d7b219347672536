import { CHAR_CAP, INDICATOR_RESERVE } from '../protocol/limits.ts';
import type { PrunedText, PruneOptions, Pruner } from '../protocol/pruner.ts';
import { isWithinUnits, countUnits } from '../text-size/units.ts';
import { replaceByNotice } from './notice.ts';
import { parseOutline, splitLines, type OutlinedText } from './outline.ts';
import { pruneOneLine } from './prune-one-line.ts';
import { renderLines } from './render-lines.ts';
import { divideCap, selectLines } from './select-lines.ts';

/**
 * Shortens a text so that its structure stays readable: headings, the heads of tables, the first items of
 * every section, and the last line, where sums and conclusions stand.
 *
 * Takes time in proportion to the text.
 *
 * @param options.cap maximal units (`text-size/units.ts`) of the result; default 2000
 * @returns the text itself when it is within the cap; else the shortened text, whose last line names what
 *   was removed, and a report of the same
 */
export function prune(text: string, options: PruneOptions = {}): PrunedText {
  const { cap = CHAR_CAP, format = 'markdown', ref } = options;
  if (isWithinUnits(text, cap)) return { text };
  const source = splitLines(text);
  const [only] = source.lines;
  if (only === undefined) return replaceByNotice({ removed: source.lost, ref, cap, total: 0 });
  if (source.lines.length === 1) return pruneOneLine(only, cap, ref);
  return pruneLines({ ...source, ...parseOutline(source.lines, format) }, cap, ref);
}

/** The pruner that agents use by default. */
export const structuralPruner: Pruner = { prune };

/** The pruner that removes nothing, for people and programs that want whole results. */
export const keepEverything: Pruner = {
  prune: (text) => ({ text }),
};

function pruneLines(source: OutlinedText, cap: number, ref: string | undefined): PrunedText {
  const budget = divideCap(cap);
  let reserve = INDICATOR_RESERVE;
  for (;;) {
    const selection = selectLines(source, budget, reserve);
    const removesOnlyBlanks = source.lines.every((line, index) => selection.kept.has(index) || line.trim() === '');
    if (removesOnlyBlanks) {
      // The blank lines may stay as well, if there is room.
      const everything = { ...selection, kept: new Set(source.lines.keys()) };
      const whole = renderLines({ source, selection: everything, budget, ref });
      if (isWithinUnits(whole.text, cap)) return whole;
    }
    const pruned = renderLines({ source, selection, budget, ref });
    if (isWithinUnits(pruned.text, cap)) return pruned;
    const { indicator, total } = pruned.report;
    if (countUnits(indicator) <= reserve) return replaceByNotice({ removed: `${total} -> 0 items`, ref, cap, total });
    // The notice is longer than usual: select again with room for it.
    reserve = countUnits(indicator);
  }
}
