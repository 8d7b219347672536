/** How the pruner reads a text: `code` has no headings, `plain` neither headings nor tables. */
export type TextFormat = 'markdown' | 'code' | 'plain';

/** A tool's answer when it is more than a plain string. */
export interface ToolOutput {
  readonly text: string;
  /** Default: `markdown`. */
  readonly format?: TextFormat;
  /** True when the text is a page that says itself how to go on: it is never pruned. */
  readonly paged?: boolean;
  /**
   * Everything that was asked for, where the text is a page, a first part, or more than the thing itself. Code gets
   * it in the place of the text; it is called only then.
   */
  readonly whole?: () => string | Promise<string>;
  /** How many rows the whole answer has, shown or not: for summaries. */
  readonly rows?: number;
  /** What a summary says instead of a count, for example `2 -> 1 lines`. */
  readonly hint?: string;
  /** Items of a call over several items that did not succeed; the call then counts as failed. */
  readonly errors?: readonly Error[];
}

/** What a tool may return; `undefined` and `null` read `(no output)`, other values become JSON. */
export type ToolReturn = string | ToolOutput | object | number | boolean | null | undefined;
