import type { SpaceParts, ToolParts } from './notes-space.ts';

/** One thing wrong with the notes. */
export interface Defect {
  readonly name: string;
  /** Name of the check that notices. */
  readonly check: string;
  /** Breaks parts that were just made. */
  readonly breaks: (parts: SpaceParts) => void;
}

type Change = (tools: Record<string, ToolParts>, parts: SpaceParts) => void;

/** A defect of the space as a whole. */
export function defect(name: string, check: string, breaks: Defect['breaks']): Defect {
  return { name, check, breaks };
}

/** A defect of its tools. */
export function broken(name: string, check: string, change: Change): Defect {
  return defect(name, check, (parts) => change(parts.tools, parts));
}
