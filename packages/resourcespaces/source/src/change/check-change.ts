/** A file as it is, and as it is about to be. */
export interface ProposedChange {
  /** Below the root, without links. */
  readonly path: string;
  /** Undefined when there is none. */
  readonly before: string | undefined;
  readonly after: string;
}

/** A problem that a change would bring. */
export interface IntroducedProblem {
  /** Below the root, without links. */
  readonly path: string;
  /** 1-based, in the file as it would be. */
  readonly line: number;
  readonly message: string;
}

/** What checking a change came to. */
export type ChangeVerdict =
  | {
      readonly type: 'checked';
      readonly problems: readonly IntroducedProblem[];
      /** Number of other modules for which there was no time. */
      readonly unchecked: number;
    }
  /** Nothing says how to check what is changed. */
  | { readonly type: 'untyped' }
  | {
      readonly type: 'unknown';
      /** Why, as a clause. */
      readonly reason: string;
    };

/** Says which problems changes would bring that were not there before. Contract: writes nothing, and ends in time. */
export type CheckChange = (changes: readonly ProposedChange[], signal: AbortSignal) => Promise<ChangeVerdict>;
