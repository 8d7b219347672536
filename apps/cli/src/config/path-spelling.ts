import systemPath, { type PlatformPath } from 'node:path';

type Spelling = Pick<PlatformPath, 'sep'>;

/** Returns a path with `/` between its names, as in tags and addresses. */
export function writeSlashes(path: string, { sep }: Spelling = systemPath): string {
  return sep === '/' ? path : path.replaceAll(sep, '/');
}

/** Returns an absolute path with its drive in upper case: programs on Windows pass on either, and data is found by it. */
export function capitalizeDrive(path: string, { sep }: Spelling = systemPath): string {
  return sep === '/' ? path : path.replace(/^[a-z]:/, (drive) => drive.toUpperCase());
}

/** Returns the path that an absolute path has in the address of a file: `/C:/a b` is `/C:/a%20b`. */
export function encodePath(path: string, spelling: Spelling = systemPath): string {
  const slashed = writeSlashes(path, spelling);
  return encodeURI(slashed.startsWith('/') ? slashed : `/${slashed}`);
}
