import { ERROR_VALVE, INDICATOR_RESERVE } from '../protocol/limits.ts';
import type { Pruner } from '../protocol/pruner.ts';
import type { ResultStore } from '../protocol/result-store.ts';
import type { ToolOutput } from '../protocol/tool-output.ts';
import type { PruneReport } from '../protocol/tool-result.ts';
import { codePoints, firstUnits, fits, lastUnits } from '../text-size/units.ts';

/** What answers are cut with, and to. */
export interface Fitting {
  readonly pruner: Pruner;
  /** Default: nothing is kept, for answers that are had as a whole anyway. */
  readonly results?: ResultStore | undefined;
  /** Units an answer may have. */
  readonly cap: number;
}

/** A text of bearable size; with a handle when the whole text was kept elsewhere. */
interface FittedText {
  readonly text: string;
  readonly pruned?: PruneReport;
  readonly ref?: string;
}

/** Prunes an answer that is over the cap; the whole text is kept first, so that nothing is lost. */
export function fitAnswer({ text, format, paged }: ToolOutput, { pruner, results, cap }: Fitting): FittedText {
  if (fits(text, cap)) return { text };
  // A page bounds itself; the valve is for a tool that only says so.
  if (paged === true) return fitWhole(text, results);
  const ref = results?.keep(text);
  const handle = ref === undefined ? {} : { ref };
  const pruned = pruner.prune(text, { cap, ...handle, ...(format !== undefined && { format }) });
  return pruned.report === undefined ? { text: pruned.text } : { text: pruned.text, pruned: pruned.report, ...handle };
}

/** Leaves a text whole, unless it is so long that it would drown everything else: then its two ends. */
export function fitWhole(text: string, results: Fitting['results']): FittedText {
  if (fits(text, ERROR_VALVE)) return { text };
  const room = ERROR_VALVE - INDICATOR_RESERVE;
  const head = firstUnits(text, room * 0.6);
  const tail = lastUnits(text, room * 0.4);
  const removed = codePoints(text) - codePoints(head) - codePoints(tail);
  const ref = keepIfPossible(text, results);
  if (ref === undefined) return { text: `${head}\n… [+${removed} chars] …\n${tail}` };
  return { text: `${head}\n… [+${removed} chars; full: <R:${ref}>] …\n${tail}`, ref };
}

/** An error has to reach its reader even when nothing can be kept. */
function keepIfPossible(text: string, results: Fitting['results']): string | undefined {
  try {
    return results?.keep(text);
  } catch {
    return undefined;
  }
}
