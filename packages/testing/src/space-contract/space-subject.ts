import type { Provision, SpaceSource } from '@bae/core';

/** A space under test, with what it needs and what was started for it. */
export interface SpaceSubject {
  readonly space: SpaceSource;
  /** Values for the constructor of the space. */
  readonly provide?: readonly Provision[];
  /** Ends what was started for the test. */
  dispose?(): void | Promise<void>;
}

/**
 * Makes the space to check: a new one each time, always with the same content. What one of them changes, the
 * others must not see.
 */
export type SpaceFactory = () => SpaceSource | SpaceSubject | Promise<SpaceSource | SpaceSubject>;

/** What a factory made, as a subject. */
export function subjectOf(created: SpaceSource | SpaceSubject): SpaceSubject {
  const isSubject = typeof created === 'object' && created !== null && 'space' in created && !('tools' in created);
  return isSubject ? created : { space: created };
}
