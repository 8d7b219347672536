import type { PrunedText } from '../protocol/pruner.ts';
import { firstUnits, fits } from '../text-size/units.ts';
import { pruningNotice } from './pruning-notice.ts';

interface Nothing {
  readonly what: string;
  readonly ref: string | undefined;
  readonly cap: number;
  readonly total: number;
}

/** What is left when no line of the text has room: the notice, without its handle or cut when that is too long. */
export function onlyNotice({ what, ref, cap, total }: Nothing): PrunedText {
  const full = pruningNotice(what, ref);
  const indicator = fits(full, cap) ? full : firstUnits(pruningNotice(what, undefined), cap);
  return { text: indicator, report: { total, shown: 0, indicator } };
}
