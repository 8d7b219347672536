import { createAgent, resourcespace, type Resourcespace, type SpaceDefinition, type SpaceSource } from '@bae/core';
import type { PlaceOptions } from '@bae/plugins';

/** A space, and how to let go of it. */
export interface OpenedSpace {
  readonly space: SpaceDefinition;
  close(): Promise<void>;
}

/** One space whose code can be put in the place of other code, while a session stands in it. */
export class LiveSpace {
  /** What is registered: each tool is that of the code in use. */
  readonly source: SpaceSource;
  readonly #open: () => OpenedSpace;
  #opened: OpenedSpace | undefined;

  /** @param original the space as it is to be at first */
  constructor(name: string, original: SpaceSource, { provide }: Pick<PlaceOptions, 'provide'>) {
    this.#open = () => {
      const agent = createAgent({ spaces: [original], provide });
      return { space: agent.tree.below([])[0]!, close: () => agent.close() };
    };
    this.source = perSession(name, () => this.#definition(name));
  }

  /** Uses another space from now on, and lets go of the one from before. */
  async replace(opened: OpenedSpace): Promise<void> {
    const before = this.#opened;
    this.#opened = opened;
    await before?.close();
  }

  get #space(): SpaceDefinition {
    this.#opened ??= this.#open();
    return this.#opened.space;
  }

  #definition(name: string): SpaceDefinition {
    const now = () => this.#space;
    const { description, group } = now();
    return {
      name,
      description,
      ...(group !== undefined && { group }),
      get tools() {
        return now().tools;
      },
      enter: () => now().enter(),
      children: () => now().children(),
      status: () => now().status?.() ?? {},
      ...(now().search !== undefined && {
        search: async (query: string, limit: number) => (await now().search?.(query, limit)) ?? [],
      }),
      dispose: async () => {
        const opened = this.#opened;
        this.#opened = undefined;
        await opened?.close();
      },
    };
  }
}

/** A space that the session makes and lets go of: that is what sessions do with classes. */
function perSession(name: string, make: () => SpaceDefinition): SpaceSource {
  class SpaceOfSession implements Resourcespace {
    constructor() {
      return make();
    }

    enter(): string | Promise<string> {
      return '';
    }
  }
  resourcespace({ name, description: `${name}.` })(SpaceOfSession);
  return SpaceOfSession;
}
