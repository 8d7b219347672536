import type { SpaceSource } from '@bae/core';
import type { SpaceManifest } from '../manifest/plugin-manifest.ts';
import type { Plugin } from '../package/read-plugin.ts';
import type { TrustStore } from '../trust/trust-store.ts';

/** A space and how it is mounted, as a configuration lists it. */
export interface SpaceMount {
  /**
   * A package by its name (`tickets` is short for `bae-resourcespace-tickets`), its folder (`./spaces/tickets`),
   * a built-in space by its name, or in code the space itself.
   */
  readonly use: string | SpaceSource;
  /** The name it is mounted under. Default: its own name. */
  readonly as?: string;
  /** The space or named place above it: `work`, `work.shop`. Default: home. */
  readonly under?: string;
  /** For a package: options that match its schema. */
  readonly options?: Readonly<Record<string, unknown>>;
}

/** Everything that a configuration may list as a space. */
export type SpaceEntry = string | SpaceSource | SpaceMount;

/** What spaces are found from. */
export interface MountRequest {
  readonly entries: readonly SpaceEntry[];
  /** True to mount every installed package that is not listed. */
  readonly discover: boolean;
  readonly disabled: readonly string[];
  /** Spaces that are mounted below home unless they are disabled, or listed by name. */
  readonly builtIn: readonly string[];
  /** Folder that relative paths and the search for packages begin at, absolute. */
  readonly from: string;
  readonly trust: Pick<TrustStore, 'stateOf'>;
}

/** What is mounted. */
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
  /** The configuration key that asked for it: `spaces[2]`; absent for what was discovered. */
  readonly key?: string;
}
