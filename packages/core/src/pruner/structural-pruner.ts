import { CHAR_CAP } from '../protocol/limits.ts';
import type { PrunedText, PruneOptions, Pruner } from '../protocol/pruner.ts';
import { fits } from '../text-size/units.ts';
import { pruneLines } from './many-lines.ts';
import { onlyNotice } from './only-notice.ts';
import { pruneOneLine } from './one-line.ts';
import { textLines } from './text-lines.ts';

/**
 * Cuts a text to a size so that its structure stays readable: headings, the heads of tables, the first
 * items of every section, and the last line, where sums and conclusions stand.
 *
 * Takes time in proportion to the text.
 *
 * @param options.cap units (`text-size/units.ts`) that the result has at most; default 2000
 * @returns the text itself when it is within the cap; else the cut text with a last line that says what
 *   is gone, and the same as data
 */
export function prune(text: string, options: PruneOptions = {}): PrunedText {
  const { cap = CHAR_CAP, format = 'markdown', ref } = options;
  if (fits(text, cap)) return { text };
  const source = textLines(text);
  const [only] = source.lines;
  if (only === undefined) return onlyNotice({ what: source.lost, ref, cap, total: 0 });
  if (source.lines.length === 1) return pruneOneLine(only, { cap, ref });
  return pruneLines(source, { cap, format, ref });
}

/** The pruner that agents use by default. */
export const structuralPruner: Pruner = { prune };
