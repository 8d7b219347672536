import { constants } from 'node:fs';

/**
 * Links and empty folders are changed, recorded and undone like files. Their modes have these type bits, and those of
 * files have none. The content of a link is the path that it leads to; an empty folder has none.
 */
export const LINK = constants.S_IFLNK;
export const FOLDER = constants.S_IFDIR;

/** Returns the type bits of a mode: `LINK`, `FOLDER`, or 0 for a file. */
export function getEntryType(mode = 0): number {
  return mode & constants.S_IFMT;
}
