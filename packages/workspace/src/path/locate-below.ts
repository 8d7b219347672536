import { realpathSync } from 'node:fs';
import { isAbsolute, relative, sep } from 'node:path';

/**
 * Finds the path of a file or folder below another folder, with `/` between names and without links. Returns undefined
 * if it is elsewhere, or does not exist. A path that does not begin with that of the folder is not looked up: it may be
 * a stranger's, on a disk that never answers.
 */
export function locateBelow(folder: string, path: string): string | undefined {
  try {
    const real = realpathSync(folder);
    if (![folder, real].some((start) => getInner(start, path) !== undefined)) return undefined;
    return getInner(real, realpathSync(path))?.replaceAll(sep, '/');
  } catch {
    return undefined;
  }
}

function getInner(folder: string, path: string): string | undefined {
  const inner = relative(folder, path);
  return inner === '..' || inner.startsWith(`..${sep}`) || isAbsolute(inner) ? undefined : inner;
}
