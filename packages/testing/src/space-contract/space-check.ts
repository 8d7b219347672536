import type { Findings } from './findings.ts';
import type { OpenSpace } from './open-space.ts';

/** What a check works with. */
export interface Bench {
  /** A new space, which is disposed of when the check is over. */
  open(): Promise<OpenSpace>;
}

/** One thing that every resourcespace does, and how that is found out. */
export interface SpaceCheckSpec {
  /** What the space does, as the end of a sentence: `documents every parameter`. */
  readonly name: string;
  /** True for the check that the space can be opened at all: the others refer to it. */
  readonly opens?: true;
  look(bench: Bench, findings: Findings): void | Promise<void>;
}
