import { protectionOfPlace } from './guard-place.ts';
import { OWN } from './path-protection.ts';
import type { Place } from './place.ts';

/** What is known of a path without reading it. */
export interface PathInfo {
  /** Path below the root, without links: the same for every spelling of the same file. */
  readonly path: string;
  readonly kind: 'file' | 'folder' | 'special' | 'missing';
  /** Bytes; 0 for what is missing. */
  readonly size: number;
  /**
   * Why the content is shown only when the user allows it: `may hold passwords`; undefined for everything else.
   * Also for what is not there.
   */
  readonly secrecy: string | undefined;
}

/** Says of a place what is there. */
export function infoOf(place: Place): PathInfo {
  const { path, stats } = place;
  const secrecy = secrecyOf(place);
  if (stats === undefined) return { path, kind: 'missing', size: 0, secrecy };
  const kind = stats.isFile() ? 'file' : stats.isDirectory() ? 'folder' : 'special';
  return { path, kind, size: stats.size, secrecy };
}

function secrecyOf(place: Place): string | undefined {
  const protection = protectionOfPlace(place);
  return protection?.secret === true && protection.is !== OWN ? protection.is : undefined;
}
