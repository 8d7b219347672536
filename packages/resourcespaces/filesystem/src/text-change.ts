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
}
