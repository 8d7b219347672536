import type { PruneReport } from './tool-result.ts';
import type { TextFormat } from './tool-definition.ts';

/** Limits and format for shortening text. */
export interface PruneOptions {
  /** Maximum length of the result, in units. Default: 2000. */
  readonly cap?: number;
  /** Format of the text. Default: `markdown`. */
  readonly format?: TextFormat;
  /**
   * `end` keeps the lines of prose and code up to one from which the last line says how to read on; other formats mark
   * their gaps. Default: lines are selected from the whole text.
   */
  readonly cut?: 'end';
  /** Handle of the whole text, named in the last line. */
  readonly ref?: string;
}

/** Text within its cap; `report` is absent if nothing was removed. */
export interface PrunedText {
  readonly text: string;
  readonly report?: PruneReport;
}

/**
 * Shortens text to a size so that its structure stays readable.
 *
 * Contract: deterministic; never longer than the cap; text within the cap is returned unchanged.
 */
export interface Pruner {
  prune(text: string, options?: PruneOptions): PrunedText;
}

/** Keeps the whole text of results that were shortened, as long as the session may read them. */
export interface ResultStore {
  /** Stores text and returns its handle, `result:12`. */
  keep(text: string): string;
  /** Returns the whole text of a handle; undefined if the handle does not exist. */
  get(ref: string): string | undefined;
  /** Returns the existing handles, oldest first: for the message about a handle that does not exist. */
  handles?(): readonly string[];
}
