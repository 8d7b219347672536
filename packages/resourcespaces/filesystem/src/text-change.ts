import type { LinePatch } from '@bae/workspace';

/** A text after a change, and which of its lines changed. */
export interface TextChange {
  readonly text: string;
  /** Number of the first line that changed. */
  readonly first: number;
  /** How many lines were there before, and are there now. */
  readonly removed: number;
  readonly added: number;
  /** Lines of all the changes, when there were several. */
  readonly places?: readonly number[];
  /** Number of the first line as it was sent, when earlier edits of the same response have moved it. */
  readonly sentFirst?: number;
  /** Every place that changed, in order; line numbers are those of the text before. */
  readonly patches: readonly LinePatch[];
}
