import { CHAR_CAP, LINE_CAP } from '../protocol/limits.ts';
import type { PrunedText, PruneOptions } from '../protocol/pruner.ts';
import { countUnits, formatCount, isWithinUnits } from '../text-size/text-size.ts';
import { prune } from './prune.ts';
import { shortenLine } from './select-lines.ts';

/**
 * Shortens a text of more than `cap` units at its end: keeps every line up to one, and reports how many follow and how to
 * read them. A text of which not even the first lines fit is shortened like any other.
 */
export function pruneEnd(text: string, options: PruneOptions = {}): PrunedText {
  const { cap = CHAR_CAP, ref } = options;
  if (isWithinUnits(text, cap)) return { text };
  const lines = text.replace(/\n$/, '').split('\n');
  const total = lines.length;
  const longest = Math.min(LINE_CAP, Math.floor(cap / 4));
  const describeRest = (shown: number) => {
    const rest = ref === undefined ? '' : `; next: <R:${ref}:${shown + 1}-${total}>`;
    return `[pruned: ${formatCount(total - shown, 'more line')} of ${total}${rest}]`;
  };
  let left = cap - countUnits(describeRest(total)) - 1;
  let shown = 0;
  const kept: string[] = [];
  for (const line of lines) {
    const short = shortenLine(line, longest);
    left -= countUnits(short) + 1;
    if (left < 0) break;
    kept.push(short);
    shown++;
  }
  if (shown === 0 || shown === total) return prune(text, options);
  const indicator = describeRest(shown);
  return { text: [...kept, indicator].join('\n'), report: { total, shown, indicator } };
}
