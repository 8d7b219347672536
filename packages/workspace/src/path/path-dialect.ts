import { win32 } from 'node:path';

/** How the paths of a system are written. */
export interface PathDialect {
  /** Separates the names in a path, without empty ones and `.`. */
  split(path: string): string[];
  isAbsolute(path: string): boolean;
  /**
   * Returns the part of an absolute path below a folder, with `/` between names: `''` for the folder itself, undefined
   * if it is somewhere else.
   */
  below(path: string, folder: string): string | undefined;
  /** Returns why a path cannot name a file on this system, as a sentence; undefined if it can. */
  findObstacle(path: string): string | undefined;
}

export const POSIX: PathDialect = {
  split: (path) => listPathNames(path, '/'),
  isAbsolute: (path) => path.startsWith('/'),
  below(path, folder) {
    const names = listPathNames(path, '/');
    const above = listPathNames(folder, '/');
    return above.every((name, index) => name === names[index]) ? names.slice(above.length).join('/') : undefined;
  },
  findObstacle: () => undefined,
};

/** Prefix by which Windows takes the rest of a path as it is: `\\?\C:\a`, `\\?\UNC\server\share\a`. */
const LITERAL = /^\\\\\?\\(?:UNC(?=\\)|(?=[a-z]:))/i;

/** Names of devices, which Windows finds in every folder, also with an ending. */
const DEVICE = /^(con|prn|aux|nul|conin\$|conout\$|com[\d¹²³]|lpt[\d¹²³])\s*(?:\.|$)/i;

/** Names are the same in any case, `/` also separates them, and drives and computers are above the first folder. */
export const WINDOWS: PathDialect = {
  split: (path) => listPathNames(path, /[\\/]/),
  isAbsolute: (path) => win32.isAbsolute(path),
  below(path, folder) {
    const inner = parseAbsolute(path);
    const outer = parseAbsolute(folder);
    const isBelow =
      isSameName(inner.root, outer.root) && outer.names.every((name, index) => isSameName(name, inner.names[index]));
    return isBelow ? inner.names.slice(outer.names.length).join('/') : undefined;
  },
  findObstacle(path) {
    if (/^[a-z]:(?![\\/])/i.test(path))
      return `without a slash after ${path.slice(0, 2)}, it begins in another folder.`;
    const names = WINDOWS.split(path.replace(LITERAL, '').replace(/^[a-z]:/i, ''));
    for (const name of names) {
      const device = DEVICE.exec(name)?.[1];
      if (device !== undefined) return `'${device}' is a device of Windows in every folder.`;
      if (name.includes(':')) return 'a colon names a hidden part of a file on Windows.';
      if (/[. ]$/.test(name)) return 'Windows removes a dot or blank at the end of a name.';
    }
    return undefined;
  },
};

/** The one of this machine. */
export const SYSTEM_DIALECT = process.platform === 'win32' ? WINDOWS : POSIX;

function listPathNames(path: string, separator: string | RegExp): string[] {
  return path.split(separator).filter((name) => name !== '' && name !== '.');
}

/** Separates a path of Windows into its drive or shared folder, and the names below it. */
function parseAbsolute(path: string): { readonly root: string; readonly names: readonly string[] } {
  const plain = win32.normalize(path.replace(LITERAL, (prefix) => (prefix.endsWith('\\') ? '' : '\\')));
  const { root } = win32.parse(plain);
  return { root, names: WINDOWS.split(plain.slice(root.length)) };
}

/** Compares names by their upper-case letters, as NTFS does. */
function isSameName(one: string, other: string | undefined): boolean {
  return one.toUpperCase() === other?.toUpperCase();
}
