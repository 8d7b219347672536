import { INDICATOR_RESERVE } from '../protocol/limits.ts';
import type { PrunedText } from '../protocol/pruner.ts';
import type { TextFormat } from '../protocol/tool-definition.ts';
import { fits, units } from '../text-size/units.ts';
import { budgetOf } from './budget.ts';
import { onlyNotice } from './only-notice.ts';
import { outline } from './outline.ts';
import { renderLines } from './render-lines.ts';
import { selectLines, type Selection } from './selection.ts';
import type { TextLines } from './text-lines.ts';

interface Cut {
  readonly cap: number;
  readonly format: TextFormat;
  readonly ref: string | undefined;
}

/** Shortens a text of several lines to what matters most: structure, its last line, its first items. */
export function pruneLines(text: TextLines, { cap, format, ref }: Cut): PrunedText {
  const source = { ...text, ...outline(text.lines, format) };
  const budget = budgetOf(cap);
  let reserve = INDICATOR_RESERVE;
  for (;;) {
    const selection = selectLines(source, budget, reserve);
    if (keepsAll(source.lines, selection)) {
      const withBlanks = { ...selection, kept: new Set(source.lines.keys()) };
      const whole = renderLines({ source, selection: withBlanks, budget, ref });
      if (fits(whole.text, cap)) return whole;
    }
    const pruned = renderLines({ source, selection, budget, ref });
    if (fits(pruned.text, cap)) return pruned;
    const { indicator, total } = pruned.report;
    if (units(indicator) <= reserve) return onlyNotice({ what: `${total} -> 0 items`, ref, cap, total });
    // A longer last line than usual: choose again with room for it.
    reserve = units(indicator);
  }
}

/** True when nothing but blank lines would go: then those may stay too, if there is room. */
function keepsAll(lines: readonly string[], { kept }: Selection): boolean {
  return lines.every((line, index) => kept.has(index) || line.trim() === '');
}
