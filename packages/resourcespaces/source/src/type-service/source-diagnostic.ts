/** A type error or a syntax error. */
export interface SourceDiagnostic {
  /** Absolute path. */
  readonly file: string;
  /** From 1. */
  readonly line: number;
  /** From 1, in UTF-16. */
  readonly column: number;
  /** Number of the message: 2322 is written TS2322. */
  readonly code: number;
  /** May have several lines. */
  readonly message: string;
}
