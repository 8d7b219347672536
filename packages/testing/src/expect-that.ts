import type { ModelPart } from '@bae/core';

/** @throws Error with the complaint when a claim does not hold */
export function expectThat(holds: boolean, complaint: string): void {
  if (!holds) throw new Error(complaint);
}

/** A part as a complaint shows it. */
export function shownPart(part: ModelPart | undefined): string {
  return part === undefined ? 'nothing' : JSON.stringify(part);
}
