import type { SpaceSource } from '@bae/core';
import type { SpaceManifest } from '../manifest/plugin-manifest.ts';
import type { Plugin } from '../package/plugin.ts';

/** A space with how it is mounted, as it stands in a configuration. */
export interface SpaceMount {
  /**
   * A package by its name (`tickets` is short for `bae-resourcespace-tickets`), its folder (`./spaces/tickets`),
   * a space of bae's own by its name, or in code the space itself.
   */
  readonly use: string | SpaceSource;
  /** What it is called here. Default: its own name. */
  readonly as?: string;
  /** The space or the named place that it is put below: `work`, `work.shop`. Default: home. */
  readonly under?: string;
  /** For a package: what its options schema asks for. */
  readonly options?: Readonly<Record<string, unknown>>;
}

/** Everything that a configuration may list as a space. */
export type SpaceEntry = string | SpaceSource | SpaceMount;

/** What is behind a mounted name. */
export type MountedThing =
  | { readonly type: 'source'; readonly source: SpaceSource }
  | { readonly type: 'built-in'; readonly name: string }
  | {
      readonly type: 'plugin';
      readonly plugin: Plugin;
      readonly space: SpaceManifest;
      readonly options: SpaceMount['options'];
      /** Of the package, as it was trusted. */
      readonly digest: string;
    };

/** One space and where it will be. */
export interface Mount {
  /** Names from home; the last one is its own. */
  readonly path: readonly string[];
  readonly thing: MountedThing;
  /** What it is, for messages: the name of a package, or of a class. */
  readonly label: string;
  /** Where it was asked for: `spaces[2]`; for what was discovered, nothing. */
  readonly key?: string;
}
