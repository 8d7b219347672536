/** What is said of a problem. */
export interface ProblemWords {
  readonly fact: string;
  /** More facts, one a line. */
  readonly details?: readonly string[];
  /** The parameter at fault, what it was expected to be, and what was sent. */
  readonly field: string;
  readonly expected: string;
  readonly sent: unknown;
  /** Tags that would work inside the space, most useful first. */
  readonly next: readonly string[];
}
