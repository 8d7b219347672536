import { HEAD_LINE_CAP, LINE_CAP, STRUCT_SHARE } from '../protocol/limits.ts';

/** How the units of one pruned text are shared out. */
export interface Budget {
  readonly cap: number;
  /** Units that all structural lines together may use. */
  readonly structure: number;
  /** Longest item line, and longest structural line, that stay whole. */
  readonly itemLine: number;
  readonly headLine: number;
}

/** Shares out a cap; below about 1000 units lines are clipped earlier, so that a few still fit. */
export function budgetOf(cap: number): Budget {
  return {
    cap,
    structure: Math.floor(cap * STRUCT_SHARE),
    itemLine: Math.min(LINE_CAP, Math.floor(cap / 4)),
    headLine: Math.min(HEAD_LINE_CAP, Math.floor(cap / 8)),
  };
}
