import type { TextFormat } from './tool-output.ts';
import type { PruneReport } from './tool-result.ts';

/** How far and how a text is to be cut. */
export interface PruneOptions {
  /** Units the result may have at most. Default: 2000. */
  readonly cap?: number;
  /** Default: `markdown`. */
  readonly format?: TextFormat;
  /** Handle of the whole text, named in the last line. */
  readonly ref?: string;
}

/** A text within its cap; `report` is absent when nothing was removed. */
export interface PrunedText {
  readonly text: string;
  readonly report?: PruneReport;
}

/**
 * Cuts a text to a size so that its structure stays readable.
 *
 * Contract: deterministic; never longer than the cap; a text within the cap comes back unchanged.
 */
export interface Pruner {
  prune(text: string, options?: PruneOptions): PrunedText;
}
