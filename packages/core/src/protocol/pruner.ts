import type { PruneReport } from './tool-result.ts';
import type { TextFormat } from './tool-definition.ts';

/** Limits and format of a text to be cut. */
export interface PruneOptions {
  /** Most units of the result. Default: 2000. */
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

/** Keeps the whole text of results that were cut, for as long as the session may read them. */
export interface ResultStore {
  /** Keeps a text and returns its handle, `result:12`. */
  keep(text: string): string;
  /** The whole text of a handle, or undefined when there is none. */
  get(ref: string): string | undefined;
  /** Handles there are, oldest first: for the message about one that there is not. */
  handles?(): readonly string[];
}
