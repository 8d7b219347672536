import { readdirSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';

/** One text file; its path is relative to the root, with `/`. */
export interface RepositoryFile {
  readonly path: string;
  readonly text: string;
}

/** The files of a repository that people write; nothing installed, built or deliberately wrong. */
export interface Repository {
  readonly root: string;
  readonly files: readonly RepositoryFile[];
}

const WRITTEN_BY_PEOPLE = /\.(ts|tsx|mts|mjs|js|json|md|yaml|yml)$/;
const SKIPPED = new Set(['node_modules', 'dist', '.git', '.turbo', '.generated', 'fixtures', '.bae']);

/** Reads every source, settings and documentation file below a folder. */
export function readRepository(root: string): Repository {
  const paths = listFiles(root).map((path) => relative(root, path).replaceAll('\\', '/'));
  const files = paths.toSorted().map((path) => ({ path, text: readFileSync(join(root, path), 'utf8') }));
  return { root, files };
}

function listFiles(folder: string): readonly string[] {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) return SKIPPED.has(entry.name) ? [] : listFiles(path);
    return entry.isFile() && WRITTEN_BY_PEOPLE.test(entry.name) ? [path] : [];
  });
}
