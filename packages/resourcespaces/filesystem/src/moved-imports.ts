import { posix } from 'node:path';
import { formatPath, type WorkspaceRoot } from '@bae/workspace';

/** Files of JavaScript and TypeScript, whose relative imports are resolved. */
const CODE = /\.[cm]?[jt]sx?$/;
/** Finds the path of a relative import, export, `import(…)`, `require(…)` or `vi.mock(…)`, with its quotes. */
const IMPORT = /(?:\bfrom\s*|\bimport\s*\(?\s*|\b(?:require|mock)\s*\(\s*)(['"])(\.{1,2}(?:\/[^'"\n]*)?)\1/g;
/** Endings of the files that an import without ending may mean, the most frequent first. */
const ENDINGS = ['.ts', '.tsx', '.js', '.jsx', '.mts', '.mjs', '.cts', '.cjs', '.d.ts', '.json'];

export interface MovedFiles {
  /** Old paths of the moved files. */
  readonly files: readonly string[];
  readonly newPath: (path: string) => string;
  /** Files, by the paths that they have now, that may import one of them. */
  readonly mentions: readonly string[];
}

/**
 * Lists the edits that make relative imports lead to the same files as before a move, as tags: those of the moved files
 * themselves and of the files that import them.
 */
export async function listImportEdits(root: WorkspaceRoot, moved: MovedFiles): Promise<readonly string[]> {
  const oldPaths = new Map(moved.files.map((path) => [moved.newPath(path), path]));
  const readers = [...new Set([...oldPaths.keys(), ...moved.mentions])].filter((path) => CODE.test(path));
  const edits: string[] = [];
  for (const path of readers) {
    const text = await root.readText(path).then(
      (file) => file.text,
      () => '',
    );
    const found = new Map<string, number>();
    for (const [, quote = '', name = ''] of text.matchAll(IMPORT)) {
      const written = `${quote}${name}${quote}`;
      found.set(written, (found.get(written) ?? 0) + 1);
    }
    for (const [written, count] of found) {
      const name = written.slice(1, -1);
      const target = await findImported(root, posix.join(posix.dirname(oldPaths.get(path) ?? path), name), moved);
      if (target === undefined) continue;
      const targetNow = moved.files.includes(target) ? moved.newPath(target) : target;
      const now = spell(name, posix.relative(posix.dirname(path), targetNow));
      if (now === name) continue;
      const quote = written[0]!;
      const outer = quote === '"' ? "'" : '"';
      const every = count > 1 ? ' every=true' : '';
      const change = `old=${outer}${written}${outer} new=${outer}${quote}${now}${quote}${outer}`;
      edits.push(`<E:${formatPath(path)} ${change}${every}>`);
    }
  }
  return edits;
}

/** Finds the file that an import meant before the move, by its old path. */
async function findImported(root: WorkspaceRoot, path: string, { files, newPath }: MovedFiles) {
  const stem = path.replace(/\.[cm]?jsx?$/, '');
  const candidates = [path, ...(stem === path ? [] : ENDINGS.map((ending) => stem + ending))];
  for (const base of [path, `${path}/index`]) candidates.push(...ENDINGS.map((ending) => base + ending));
  for (const candidate of candidates) {
    if (files.includes(candidate)) return candidate;
    // What is there now was there before, unless it was moved there.
    if (files.some((file) => newPath(file) === candidate)) continue;
    if ((await root.exists(candidate)) && (await root.info(candidate)).kind === 'file') return candidate;
  }
  return undefined;
}

/** Spells a path as an import was spelled: with its ending, another one, or none, and without `index`. */
function spell(old: string, path: string): string {
  const relative = path.startsWith('.') ? path : `./${path}`;
  const ending = /\.(?:[cm]?[jt]sx?|json|vue|svelte|css)$/.exec(old)?.[0];
  if (ending !== undefined) return relative.replace(/(?:\.d)?\.\w+$/, ending);
  const stem = relative.replace(/(?:\.d)?\.\w+$/, '');
  return /(?:^|\/)index$/.test(old) ? stem : stem.replace(/\/index$/, '');
}
