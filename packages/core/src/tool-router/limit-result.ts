import { CAP_TOLERANCE, ERROR_VALVE, INDICATOR_RESERVE, UNITS_PER_TOKEN } from '../protocol/limits.ts';
import type { Pruner, ResultStore } from '../protocol/pruner.ts';
import type { PruneReport } from '../protocol/tool-result.ts';
import type { ToolOutput } from '../protocol/tool-definition.ts';
import { isWithinTokens } from '../text-size/estimate-tokens.ts';
import { takeFirstUnits, takeLastUnits, countCodePoints, isWithinUnits } from '../text-size/units.ts';

/** How results are cut, and to which size. */
export interface ResultLimits {
  readonly pruner: Pruner;
  /** Default: nothing is kept, for results that the caller gets whole anyway. */
  readonly results?: ResultStore | undefined;
  /** Most units of a result. */
  readonly cap: number;
}

interface LimitedText {
  readonly text: string;
  readonly pruned?: PruneReport;
  readonly ref?: string;
}

/** Prunes a result that is over the cap; the whole text is kept first, so that nothing is lost. */
export function limitResult({ text, format, paged }: ToolOutput, { pruner, results, cap }: ResultLimits): LimitedText {
  if (isWithinTokens(text, (cap / UNITS_PER_TOKEN) * CAP_TOLERANCE)) return { text };
  // A page limits itself; this is for a tool that only claims to.
  if (paged === true) return limitWhole(text, results);
  const ref = results?.keep(text);
  const handle = ref === undefined ? {} : { ref };
  const { text: short, report } = pruner.prune(text, { cap, ...handle, ...(format !== undefined && { format }) });
  return report === undefined ? { text: short } : { text: short, pruned: report, ...handle };
}

/** Keeps a text whole up to a high limit, beyond it only its two ends. */
export function limitWhole(text: string, results: ResultLimits['results']): LimitedText {
  if (isWithinUnits(text, ERROR_VALVE)) return { text };
  const room = ERROR_VALVE - INDICATOR_RESERVE;
  const head = takeFirstUnits(text, room * 0.6);
  const tail = takeLastUnits(text, room * 0.4);
  const removed = countCodePoints(text) - countCodePoints(head) - countCodePoints(tail);
  const ref = keepIfPossible(text, results);
  const full = ref === undefined ? '' : `; full: <R:${ref}>`;
  return { text: `${head}\n… [+${removed} chars${full}] …\n${tail}`, ...(ref !== undefined && { ref }) };
}

/** An error must reach its reader even when the store fails. */
function keepIfPossible(text: string, results: ResultLimits['results']): string | undefined {
  try {
    return results?.keep(text);
  } catch {
    return undefined;
  }
}
