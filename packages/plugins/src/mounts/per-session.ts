import { resourcespace, type Resourcespace, type SpaceDefinition, type SpaceSource } from '@bae/core';

/** What a space is called, and how one is made. */
export interface SpaceMaker {
  readonly name: string;
  readonly description: string;
  make(): SpaceDefinition;
}

/**
 * A space that each session makes for itself, and lets go of at its end: that is what sessions do with classes,
 * so this is a class whose constructor returns what was made.
 */
export function perSession(maker: SpaceMaker): SpaceSource {
  class SpaceOfSession implements Resourcespace {
    constructor() {
      return maker.make();
    }

    enter(): string | Promise<string> {
      return '';
    }
  }
  resourcespace({ name: maker.name, description: maker.description })(SpaceOfSession);
  return SpaceOfSession;
}
