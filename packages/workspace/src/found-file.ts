/** A file that a search found something in. */
export interface FoundFile {
  /** Below the root, without links. */
  readonly path: string;
  /** Its first matches, in order. */
  readonly rows: readonly FoundRow[];
  /** How many it has in all. */
  readonly matches: number;
}

/** A matching line. */
export interface FoundRow {
  /** 1-based. */
  readonly line: number;
  /** As it is shown. */
  readonly text: string;
  /** More of a line that was cut to be shown. */
  readonly long?: string;
}
