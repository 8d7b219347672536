import {
  mkdirSync,
  readFileSync,
  readdirSync,
  readlinkSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { dirname } from 'node:path';

/** Returns the content of a file; undefined if there is no regular file, or it cannot be read. */
export function readBytes(path: string): Buffer | undefined {
  try {
    // Reading from a pipe or a device may never end.
    return statSync(path).isFile() ? readFileSync(path) : undefined;
  } catch {
    return undefined;
  }
}

/** Returns the permissions of a file; undefined if the system has no such permissions. */
export function getMode(path: string): number | undefined {
  return process.platform === 'win32' ? undefined : statSync(path).mode & 0o777;
}

/** Creates a folder that only the user can read. */
export function makeUserFolder(path: string): void {
  mkdirSync(path, { recursive: true, mode: MODES.user.folder });
}

/** Parses JSON; undefined if the text is not JSON. */
export function tryParseJson(bytes: Buffer | undefined): unknown {
  try {
    return JSON.parse(String(bytes));
  } catch {
    return undefined;
  }
}

/** Resolves the links in a path; undefined if nothing exists there. */
export function findRealPath(path: string): string | undefined {
  try {
    // The native version makes one system call instead of one for every folder in the path.
    return realpathSync.native(path);
  } catch {
    return undefined;
  }
}

/** Lists the names in a folder; none if it is not a folder, or cannot be read. */
export function listEntryNames(folder: string): readonly string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}

/** Returns the entries of a folder, sorted by name, with the targets of links; empty if it is not a folder. */
export function scanFolder(folder: string) {
  try {
    const entries = readdirSync(folder, { withFileTypes: true }).map((entry) => {
      const { name } = entry;
      if (entry.isSymbolicLink()) return { name, kind: 'link', link: readlinkSync(`${folder}/${name}`) } as const;
      if (entry.isFile()) return { name, kind: 'file' } as const;
      return { name, kind: entry.isDirectory() ? 'folder' : 'other' } as const;
    });
    return entries.toSorted((left, right) => (left.name < right.name ? -1 : 1));
  } catch {
    return [];
  }
}

const MODES = {
  everybody: { file: 0o644, folder: 0o755 },
  user: { file: 0o600, folder: 0o700 },
} as const;

/**
 * Writes a file and creates its parent folders. Readers see the old text or the new one, never a part, even after a
 * crash.
 *
 * @throws the system's error; the old file is then unchanged
 */
export function swapFile(path: string, text: string, readers: keyof typeof MODES): void {
  const { file, folder } = MODES[readers];
  mkdirSync(dirname(path), { recursive: true, mode: folder });
  const temporary = `${path}.${process.pid}.tmp`;
  try {
    // A file left by a crash may have other permissions.
    rmSync(temporary, { force: true });
    writeFileSync(temporary, text, { flag: 'wx', mode: file, flush: true });
    renameSync(temporary, path);
  } catch (error) {
    rmSync(temporary, { force: true });
    throw error;
  }
}
