import { realpathSync } from 'node:fs';
import { join } from 'node:path';
import { findProtection } from './path-protection.ts';
import { resolveBelowRoot } from './resolve-path.ts';
import type { RootFolder } from './root-folder.ts';

/** What a link leads to. */
export interface FollowedLink {
  /** Path below the root, without links; absolute if it is elsewhere. */
  readonly path: string;
  readonly isSecret: boolean;
}

/** Follows a link; undefined for one that leads nowhere, or out of the root to something other than a secret. */
export function followLink(link: string, root: RootFolder): FollowedLink | undefined {
  try {
    using found = resolveBelowRoot(link, root);
    return found.stats === undefined ? undefined : { path: found.path, isSecret: found.protection?.secret === true };
  } catch {
    return followOut(join(root.path, link));
  }
}

function followOut(link: string): FollowedLink | undefined {
  try {
    const path = realpathSync(link);
    return findProtection(path)?.secret === true ? { path, isSecret: true } : undefined;
  } catch {
    return undefined;
  }
}
