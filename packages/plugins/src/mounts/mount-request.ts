import type { TrustStore } from '../trust/trust-store.ts';
import type { SpaceEntry } from './mount.ts';

/** What spaces are found from. */
export interface MountRequest {
  /** As the configuration lists them. */
  readonly entries: readonly SpaceEntry[];
  /** True to take every installed package that is not listed. */
  readonly discover: boolean;
  /** Names of spaces and packages that are left out. */
  readonly disabled: readonly string[];
  /** Spaces that are there unless they are disabled or listed by name, below home. */
  readonly builtIn: readonly string[];
  /** Folder that relative paths and the search for packages begin at, absolute. */
  readonly from: string;
  readonly trust: Pick<TrustStore, 'stateOf'>;
}
