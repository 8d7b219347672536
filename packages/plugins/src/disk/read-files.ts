import { readFileSync, readdirSync, readlinkSync, realpathSync, statSync, type Dirent } from 'node:fs';

/** The content of a file; undefined when there is none that can be read. */
export function readBytes(path: string): Buffer | undefined {
  try {
    // Reading from a pipe or a device may never end.
    return statSync(path).isFile() ? readFileSync(path) : undefined;
  } catch {
    return undefined;
  }
}

/** The path without links; undefined when nothing is there. */
export function realPath(path: string): string | undefined {
  try {
    // The one of the system asks once, not for every folder on the way.
    return realpathSync.native(path);
  } catch {
    return undefined;
  }
}

/** What is right in a folder, by name; a link also with where it leads. Empty when it is no folder. */
export function entriesOf(
  folder: string,
): readonly { readonly name: string; readonly kind: EntryKind; readonly link?: string }[] {
  return direntsOf(folder)
    .map((entry) => {
      const { name } = entry;
      if (!entry.isSymbolicLink()) return { name, kind: kindOf(entry) };
      return { name, kind: 'link' as const, link: readlinkSync(`${folder}/${name}`) };
    })
    .toSorted((left, right) => (left.name < right.name ? -1 : 1));
}

/** What an entry of a folder is. */
export type EntryKind = 'file' | 'folder' | 'link' | 'other';

function direntsOf(folder: string): readonly Dirent[] {
  try {
    return readdirSync(folder, { withFileTypes: true });
  } catch {
    return [];
  }
}

function kindOf(entry: Dirent): EntryKind {
  if (entry.isFile()) return 'file';
  return entry.isDirectory() ? 'folder' : 'other';
}
