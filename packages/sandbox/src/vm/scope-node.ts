/** Something that code can call by name: a tool, a place, a move. */
export interface ScopeNode {
  /** An identifier. */
  readonly name: string;
  /** Number of what is called. */
  readonly call: number;
  /** What is shown in place of its code. */
  readonly shown: string;
  /** What is found on it by name. */
  readonly members: readonly ScopeNode[];
}
