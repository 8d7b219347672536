import {
  accessSync,
  closeSync,
  constants,
  type Dirent,
  mkdirSync,
  mkdtempSync,
  openSync,
  readdirSync,
  readFileSync,
  readSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir, homedir } from 'node:os';
import { dirname, join } from 'node:path';

// Settings, and files named on the command line. The user's files are accessed through `@bae/workspace`.

/** Reads a text file and removes a byte order mark. */
export function readTextFile(path: string): string {
  return readFileSync(path, 'utf8').replace(/^\uFEFF/, '');
}

/**
 * Writes a file atomically, readable only by the user. @returns false if that is not possible; an existing file is
 * unchanged
 */
export function writeUserFile(path: string, text: string): boolean {
  const draft = `${path}.${process.pid}.tmp`;
  try {
    mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
    writeFileSync(draft, text, { mode: 0o600 });
    renameSync(draft, path);
    return true;
  } catch {
    rmSync(draft, { force: true });
    return false;
  }
}

/** Writes a file that does not exist yet, and creates its parent folders. @returns false if that is not possible */
export function writeNewFile(path: string, text: string): boolean {
  try {
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, text, { flag: 'wx' });
    return true;
  } catch {
    return false;
  }
}

/**
 * Lists the names of the files in a folder that have an ending, sorted; empty if it is not a folder. Links are skipped.
 */
export function listFilesIn(folder: string, ending: string): readonly string[] {
  const files = listFolderEntries(folder).filter((entry) => entry.isFile() && entry.name.endsWith(ending));
  return files.map(({ name }) => name).toSorted();
}

/** Lists the names of the folders in a folder, sorted; empty if it is not a folder. Links are skipped. */
export function listFoldersIn(folder: string): readonly string[] {
  return listFolderEntries(folder)
    .filter((entry) => entry.isDirectory())
    .map(({ name }) => name)
    .toSorted();
}

/** Returns the kind of entry at a path, following links: `other` too if they lead in a circle or may not be followed. */
export function getPathKind(path: string): 'file' | 'folder' | 'other' | 'nothing' {
  try {
    const stats = statSync(path, { throwIfNoEntry: false });
    if (stats === undefined) return 'nothing';
    if (stats.isFile()) return 'file';
    return stats.isDirectory() ? 'folder' : 'other';
  } catch {
    return 'other';
  }
}

/** Resolves the links in an existing path. */
export function resolveLinks(path: string): string {
  return realpathSync(path);
}

export function isWritable(folder: string): boolean {
  try {
    accessSync(folder, constants.W_OK | constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

/** Lists a folder and its parent folders, up to the root. */
export function listAncestors(folder: string): readonly string[] {
  const above = dirname(folder);
  return above === folder ? [folder] : [folder, ...listAncestors(above)];
}

/** Folders that contain nothing of the project itself. */
const OTHERS = new Set(['node_modules', 'dist', 'build', 'target', 'vendor']);
const DEEPEST = 3;
const MOST_FOLDERS = 400;

/**
 * Finds files by name in a folder and up to three levels below it. Returns at most `most` paths, with `/` as separator.
 */
export function findBelow(folder: string, name: string, most: number): readonly string[] {
  const found: string[] = [];
  const ahead: string[] = [''];
  for (let index = 0; index < ahead.length && index < MOST_FOLDERS && found.length < most; index++) {
    const path = ahead[index]!;
    for (const entry of listFolderEntries(join(folder, path))) {
      const below = path === '' ? entry.name : `${path}/${entry.name}`;
      if (entry.isFile() && entry.name === name) found.push(below);
      const isSearched = entry.isDirectory() && !entry.name.startsWith('.') && !OTHERS.has(entry.name);
      if (isSearched && below.split('/').length <= DEEPEST) ahead.push(below);
    }
  }
  return found;
}

/** Lists the paths of all files below a folder; empty if it does not exist. Links are skipped. */
export function listFilesBelow(folder: string): readonly string[] {
  return listFolderEntries(folder).flatMap((entry) => {
    if (entry.isDirectory()) return listFilesBelow(join(folder, entry.name)).map((name) => join(entry.name, name));
    return entry.isFile() ? [entry.name] : [];
  });
}

const CHUNK = 4 * 1024 * 1024;

/**
 * Finds the files that contain a text. No database may be open in this process, because closing a file releases its
 * locks.
 *
 * @param holds tests a part of a file
 * @param overlap maximum number of bytes of the text
 */
export function findFilesWith(
  files: readonly string[],
  holds: (content: string) => boolean,
  overlap: number,
): readonly string[] {
  return files.filter((file) => {
    const descriptor = openSync(file, 'r');
    try {
      const chunk = Buffer.alloc(CHUNK + overlap);
      for (let at = 0; ; at += CHUNK) {
        const length = readSync(descriptor, chunk, 0, chunk.length, at);
        if (holds(chunk.toString('utf8', 0, length))) return true;
        if (length < chunk.length) return false;
      }
    } finally {
      closeSync(descriptor);
    }
  });
}

/** Lists the entries of a folder; empty if it is not a folder. */
export function listFolderEntries(folder: string): readonly Dirent[] {
  try {
    return readdirSync(folder, { withFileTypes: true });
  } catch {
    return [];
  }
}

/** Creates an empty folder; `remove` deletes it with its contents. */
export function makeTemporaryFolder(): { readonly path: string; readonly remove: () => void } {
  const path = realpathSync(mkdtempSync(join(tmpdir(), 'bae-')));
  return { path, remove: () => rmSync(path, { recursive: true, force: true }) };
}

import systemPath, { type PlatformPath } from 'node:path';

/** Returns a path with `~` for the home folder. @param home default: that of the process */
export function shortenHome(path: string, home = homedir()): string {
  return path === home || path.startsWith(`${home}/`) ? `~${path.slice(home.length)}` : path;
}

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
