import type { Model, SpaceSource } from '@bae/core';

/** Settings of a folder, in `bae.config.json`, or in a `.js` or `.ts` file given by `--config`. */
export interface BaeConfig {
  /** `provider/name`; in code also a model object. */
  readonly model?: string | Model;
  /** Address of the model's API. */
  readonly baseUrl?: string;
  /** Longest answer of a tool, in tokens. Default: 500. */
  readonly cap?: number;
  /** Rounds of tool calls in one turn; 0 for no limit. Default: 25. */
  readonly maxBatches?: number;
  /** What happens to a call that writes: a person is asked, all run, or none. Default: `ask`. */
  readonly approve?: 'ask' | 'all' | 'none';
  /** Spaces besides the files of the folder; in code only. */
  readonly spaces?: readonly SpaceSource[];
}

/** Gives a configuration in code its type: `export default defineConfig({ … })`. */
export function defineConfig(config: BaeConfig): BaeConfig {
  return config;
}
