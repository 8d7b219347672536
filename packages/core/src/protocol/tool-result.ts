import type { MissingName } from '../errors/bae-error.ts';
import type { Media } from './model.ts';
import type { ToolEffect, TextFormat } from './tool-definition.ts';

/** Counts of items before and after pruning. */
export interface PruneReport {
  /** Items (or characters of single-line text) before and after. */
  readonly total: number;
  readonly shown: number;
  /** The line that ends the pruned text. */
  readonly indicator: string;
}

/** The result of one call. */
export interface ToolResult {
  readonly ok: boolean;
  /** Text that the model reads. Errors are shown in full; other text is within the cap. */
  readonly text: string;
  /** Value that code gets: data that the tool returned, or the full text. Absent if it equals `text`. */
  readonly value?: unknown;
  /** Class name of the error if `ok` is false. */
  readonly errorType?: string;
  /** The name that was not found, if other spaces may have it. */
  readonly missing?: MissingName;
  /** Dotted place that has the tool of a call whose own place has none of that name. */
  readonly toolAt?: string;
  /** What an error suggests, as in the lines `Try: ` that end its text. */
  readonly remedies?: readonly string[];
  /** True if only some items of the call failed. */
  readonly partial?: true;
  /** True if the call was done and what it ran has failed: tests, a check, a program. */
  readonly failed?: true;
  /** Dotted space in which the call ran: `home`, `source.meta`. */
  readonly space: string;
  /** False if the call was refused before the tool was called. */
  readonly ran: boolean;
  readonly pruned?: PruneReport;
  /** Handle under which the whole text can be read: `result:12`. */
  readonly ref?: string;
  /** Effect of the tool; absent if no tool was found. */
  readonly effect?: ToolEffect;
  /** Media of the result, for models that accept them. Their `data` is stored with the kept results. */
  readonly media?: readonly Media[];
  /** Files and folders that the call was about, as paths below the workspace root without links; absent if none. */
  readonly files?: readonly string[];
  readonly rows?: number;
  readonly hint?: string;
  /** File and lines of the text, on one line. */
  readonly where?: string;
  /** Lines of the whole text before pruning; for code, lines of the value that it got. */
  readonly lines: number;
  /** Stack trace of an unexpected error, for debug views only. */
  readonly stack?: string;
  readonly ms: number;
}

/** One executed call, as the model sees it. */
export interface FeedbackItem {
  /** The call as written, without its body. */
  readonly tag: string;
  /** Dotted space in which it ran. */
  readonly space: string;
  /** Status of the call: `ok`, `failed` if what it ran has failed, or the class name of the error. */
  readonly status: string;
  /** File and lines of the text, if the tag does not name them. */
  readonly where?: string;
  readonly text: string;
}

/** Limits and format for shortening text. */
export interface PruneOptions {
  /** Maximum length of the result, in units. Default: 2000. */
  readonly cap?: number;
  /** Format of the text. Default: `markdown`. */
  readonly format?: TextFormat;
  /** Handle of the whole text, named in the last line. */
  readonly ref?: string;
  /** What the rows of a search were searched for: of a row that is shortened, the part around it is kept. */
  readonly sought?: string;
  /** True for the output of a program that has succeeded. */
  readonly succeeded?: boolean;
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

/**
 * Finds the lines of a text that match the argument of a search as it was sent, which may be quoted or have flags, with
 * the regular expressions of searches in files, in time in proportion to the text.
 *
 * @returns the numbers of the lines, from 1, and the text that reports that there are none
 * @throws BaeError for an expression that is not supported, with other searches as hints
 */
export type FindLines = (
  text: string,
  search: {
    readonly argument: string;
    readonly signal: AbortSignal;
    /** Code that reads the text, for expressions that only code can look for: `read("result:3")`. */
    readonly reading?: string | undefined;
  },
) => Promise<{ readonly lines: readonly number[]; readonly none: string }>;

/** Keeps the whole text of results that were shortened, as long as the session may read them. */
export interface ResultStore {
  /** Stores text and returns its handle, `result:12`. */
  keep(text: string): string;
  /** Returns the whole text of a handle; undefined if the handle does not exist. */
  get(ref: string): string | undefined;
  /** Returns the existing handles, oldest first: for the message about a handle that does not exist. */
  handles?(): readonly string[];
}
