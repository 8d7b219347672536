import type { ToolEffect } from './tool-definition.ts';

/** What pruning removed: counts before and after. */
export interface PruneReport {
  /** Items (or characters of a one-line text) before and after. */
  readonly total: number;
  readonly shown: number;
  /** The line that ends the pruned text. */
  readonly indicator: string;
}

/** The answer to one call: nobody has to guess from its text whether it is an error. */
export interface ToolResult {
  readonly ok: boolean;
  /** What the model reads. Errors are whole; other answers are within the cap. */
  readonly text: string;
  /** What code gets: data when the tool gave some, all of a text that was cut. Absent where that is the text. */
  readonly value?: unknown;
  /** Class name of the error when `ok` is false. */
  readonly errorType?: string;
  /** True when only single items of the call failed: others may have been done. */
  readonly partial?: true;
  /** Dotted space the call ran in: `home`, `source.meta`. */
  readonly space: string;
  /** False when the call was refused before the tool was called. */
  readonly ran: boolean;
  readonly pruned?: PruneReport;
  /** Handle under which the whole text can be read: `result:12`. */
  readonly ref?: string;
  /** What the tool does to the world; absent when no tool was found. */
  readonly effect?: ToolEffect;
  readonly rows?: number;
  readonly hint?: string;
  /** Lines of the whole answer, before pruning; for code those of what it got. */
  readonly lines: number;
  /** Stack of an unexpected error, for debug views only. */
  readonly stack?: string;
  readonly ms: number;
}
