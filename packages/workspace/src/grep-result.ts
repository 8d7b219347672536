/** What to search for, and where. */
export interface GrepQuery {
  /** Regular expression without look-around and back-references; at most 1024 bytes. */
  readonly pattern: string;
  /** File, folder or file pattern. Default: the whole workspace. */
  readonly path?: string | undefined;
  /** Whether a file below `path` is meant, by its path below the root, without links. Default: every file. */
  readonly only?: ((path: string) => boolean) | undefined;
  /** True to search what `.gitignore` excludes. */
  readonly all?: boolean | undefined;
  /** True to search also what may hold passwords or private keys, for which the user has to be asked. */
  readonly secrets?: boolean | undefined;
  /** Most rows to return; counting goes on. Default: 50. */
  readonly limit?: number | undefined;
  /** True for code, which gets every row, and as much of a long line as it can work with, from the same search. */
  readonly forCode?: boolean | undefined;
  readonly signal?: AbortSignal | undefined;
}

/** One matching line. */
export interface GrepRow {
  readonly path: string;
  /** 1-based. */
  readonly line: number;
  /** The line without blanks around it; of one that is too long a part, with `…` where it was cut. */
  readonly text: string;
  /**
   * For code, where `text` is only a part of the line: as much of it as 10,000 characters, or fewer where that could be
   * more than 8 million for all rows together.
   */
  readonly long?: string;
}

/** What a search found. */
export interface GrepResult {
  /** The first matching lines, by path and line. */
  readonly rows: readonly GrepRow[];
  /** For code: every matching line; absent when there are more than it can have at once. */
  readonly all?: readonly GrepRow[];
  /** Matching lines in all, shown or not. */
  readonly matches: number;
  /** Files with a match. */
  readonly files: number;
  /** Files that were looked into. */
  readonly searched: number;
  /** Files that may hold secrets and were therefore not searched; 1 for a folder of them. */
  readonly withheld: number;
}
