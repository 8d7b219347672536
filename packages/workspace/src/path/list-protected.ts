import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { FileError } from '../errors.ts';
import { BY_RULE, OWN_DATA, type PathProtection } from './path-protection.ts';
import { appendPath, type RootFolder } from './root-folder.ts';

/** A file or folder that no tool writes. */
export interface ProtectedEntry {
  /** Absolute. */
  readonly path: string;
  readonly isFolder: boolean;
  /** True for what programs must not read either: bae's own data, and what a rule about reading names. */
  readonly isHidden: boolean;
}

/** Folders that are looked into below the root, and how many at most. */
const DEEPEST = 3;
const MOST_FOLDERS = 500;
/** A mount is made of each of them. */
const MOST_FOUND = 200;
const MOST_NAMED = 1000;
/** git itself writes into its folder, and what is built or installed is replaced as a whole. */
const INSTALLED = new Set(['.git', 'node_modules']);
const SKIPPED = new Set(['.git', 'node_modules', 'dist', 'build', 'out', 'target', 'coverage', '.venv', 'venv']);

/** Protection of each path by its name, from the last listing; working it out takes longer than reading the names. */
interface KnownProtections {
  /** Number of rules then. More may have been added since. */
  readonly rules: number;
  readonly byPath: ReadonlyMap<string, PathProtection | undefined>;
}

const known = new WeakMap<RootFolder, KnownProtections>();

/**
 * Lists the protected files and folders in a workspace, three levels deep, the upper ones first and at most 200, without
 * what belongs to git and what is built or installed there; and those that rules name, at any depth. Links are left out:
 * a program can replace them, but their targets are elsewhere.
 *
 * @throws FileError if rules name too many files
 */
export async function listProtected(root: RootFolder): Promise<readonly ProtectedEntry[]> {
  const found: ProtectedEntry[] = [];
  const rules = root.rules.length;
  const last = known.get(root);
  const before = last?.rules === rules ? last.byPath : new Map<string, PathProtection | undefined>();
  const byPath = new Map<string, PathProtection | undefined>();
  let folders = [''];
  let count = 0;
  for (let depth = 0; depth < DEEPEST && folders.length > 0; depth++) {
    const below: string[] = [];
    count += folders.length;
    for (const { path, isFolder, name } of await listEntriesOf(root, folders)) {
      if (SKIPPED.has(name)) continue;
      const protection = before.has(path) ? before.get(path) : root.findProtection(path);
      byPath.set(path, protection);
      if (protection !== undefined && protection !== BY_RULE)
        found.push({ path: join(root.path, path), isFolder, isHidden: protection.is === OWN_DATA.is });
      else if (isFolder) below.push(path);
    }
    folders = below.slice(0, Math.max(MOST_FOLDERS - count, 0));
  }
  known.set(root, { rules, byPath });
  return [...found.slice(0, MOST_FOUND), ...(await listByRule(root))];
}

/** Lists what rules name. In a folder whose content is hidden, there is nothing left to find. */
async function listByRule(root: RootFolder): Promise<readonly ProtectedEntry[]> {
  const { rules } = root;
  const found: ProtectedEntry[] = [];
  const look = (path: string, isFolder: boolean): boolean => {
    const effects = rules.filter(({ matches }) => matches(path)).map(({ effect }) => effect);
    const isHidden = effects.includes('read');
    if (effects.length > 0) found.push({ path: join(root.path, path), isFolder, isHidden });
    if (found.length > MOST_NAMED) throw new FileError(`rules name more than ${MOST_NAMED} files here: name folders.`);
    return isFolder && !isHidden && rules.some(({ reaches }) => reaches(path));
  };
  let folders = rules.length > 0 && look('', true) ? [''] : [];
  while (folders.length > 0) {
    const below: string[] = [];
    for (const { path, isFolder, name } of await listEntriesOf(root, folders))
      if (!INSTALLED.has(name) && look(path, isFolder)) below.push(path);
    folders = below;
  }
  return found;
}

async function listEntriesOf(root: RootFolder, folders: readonly string[]) {
  const lists = await Promise.all(
    folders.map(async (folder) => {
      const entries = await readdir(join(root.path, folder), { withFileTypes: true }).catch(() => []);
      return entries
        .filter((entry) => entry.isFile() || entry.isDirectory())
        .map((entry) => ({ path: appendPath(folder, entry.name), isFolder: entry.isDirectory(), name: entry.name }));
    }),
  );
  return lists.flat();
}
