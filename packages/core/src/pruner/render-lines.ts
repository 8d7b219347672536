import type { PrunedText } from '../protocol/pruner.ts';
import { describeRemoved, formatNotice } from './notice.ts';
import type { OutlinedText } from './outline.ts';
import { clip, type Budget, type Selection } from './select-lines.ts';

interface LinesToRender {
  readonly source: OutlinedText;
  readonly selection: Selection;
  readonly budget: Budget;
  readonly ref: string | undefined;
}

/** Joins the selected lines in their order; the last line names what was removed. */
export function renderLines({ source, selection, budget, ref }: LinesToRender): Required<PrunedText> {
  const isKept = (index: number) => selection.kept.has(index);
  const items = source.sections.flatMap((section) => section.items);
  const headings = source.structure.filter(({ isHeading }) => isHeading);
  const { output, clipped } = clipLines(source, selection, budget);
  const beforeLast = items.at(-2);
  // The last line of the text is the last of the output, too.
  const hasGap = selection.last !== undefined && beforeLast !== undefined && !isKept(beforeLast);
  if (hasGap) output.splice(-1, 0, '…');
  const counts = {
    items: { total: items.length, shown: items.filter(isKept).length },
    headings: { total: headings.length, shown: headings.filter(({ index }) => isKept(index)).length },
    clipped,
  };
  const indicator = formatNotice(describeRemoved(counts) || source.lost, ref);
  return { text: [...output, indicator].join('\n'), report: { ...counts.items, indicator } };
}

/** The selected lines within their budgets, with a blank line above every section. */
function clipLines(
  source: OutlinedText,
  { kept }: Selection,
  budget: Budget,
): { readonly output: string[]; readonly clipped: number } {
  const structural = new Set(source.structure.map(({ index }) => index));
  const starts = new Set(source.sections.map(({ heading }) => heading));
  const output: string[] = [];
  let clipped = 0;
  for (const [index, line] of source.lines.entries()) {
    if (!kept.has(index)) continue;
    const short = clip(line, structural.has(index) ? budget.headLine : budget.itemLine);
    if (short !== line) clipped++;
    if (starts.has(index) && output.length > 0 && output.at(-1)?.trim() !== '') output.push('');
    output.push(short);
  }
  return { output, clipped };
}
