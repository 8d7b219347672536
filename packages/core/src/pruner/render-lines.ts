import type { PruneReport } from '../protocol/tool-result.ts';
import type { Budget } from './budget.ts';
import { clip } from './clip.ts';
import type { Outline } from './outline.ts';
import { pruningNotice, removedLines } from './pruning-notice.ts';
import type { Selection } from './selection.ts';
import type { TextLines } from './text-lines.ts';

/** What a pruned text is made of. */
interface Rendering {
  readonly source: TextLines & Outline;
  readonly selection: Selection;
  readonly budget: Budget;
  readonly ref: string | undefined;
}

/** A pruned text and what is missing from it. */
interface Rendered {
  readonly text: string;
  readonly report: PruneReport;
}

/** Puts the lines that stay together again, in their order, and says in the last line what is gone. */
export function renderLines({ source, selection, budget, ref }: Rendering): Rendered {
  const stays = (index: number) => selection.kept.has(index);
  const items = source.sections.flatMap((section) => section.items);
  const headings = source.structure.filter(({ leads }) => leads);
  const { output, clipped } = emit(source, selection, budget);
  const beforeLast = items.at(-2);
  // The last line of the text is the last of the output, too.
  const gap = selection.last !== undefined && beforeLast !== undefined && !stays(beforeLast);
  if (gap) output.splice(-1, 0, '…');
  const counts = {
    items: { total: items.length, shown: items.filter(stays).length },
    headings: { total: headings.length, shown: headings.filter(({ index }) => stays(index)).length },
    clipped,
  };
  const indicator = pruningNotice(removedLines(counts) || source.lost, ref);
  return { text: [...output, indicator].join('\n'), report: { ...counts.items, indicator } };
}

function emit(
  source: TextLines & Outline,
  { kept }: Selection,
  budget: Budget,
): { readonly output: string[]; readonly clipped: number } {
  const structural = new Set(source.structure.map(({ index }) => index));
  const starts = new Set(source.sections.map(({ heading }) => heading));
  const output: string[] = [];
  let clipped = 0;
  for (const [index, line] of source.lines.entries()) {
    if (!kept.has(index)) continue;
    const shown = clip(line, structural.has(index) ? budget.headLine : budget.itemLine);
    if (shown !== line) clipped++;
    if (starts.has(index) && output.length > 0 && output.at(-1)?.trim() !== '') output.push('');
    output.push(shown);
  }
  return { output, clipped };
}
