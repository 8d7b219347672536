import { showPath, type FileWords } from '@bae/workspace';
import type { CodeCatalog } from '../modules/code-catalog.ts';
import { codeFileName } from '../modules/name-modules.ts';
import { nameOfNew } from './translate-path.ts';

/**
 * Files by the addresses of their modules, also of those that are gone. What is no module keeps its path, and is opened
 * at home: no path can be read here.
 */
export function fileWords(catalog: CodeCatalog): FileWords {
  const moduleOf = (path: string): string | undefined => {
    const { name } = catalog.moduleAt(path) ?? {};
    return name ?? (codeFileName(path) === undefined ? undefined : nameOfNew(path, catalog));
  };
  return {
    nameOf: (path) => moduleOf(path) ?? showPath(path),
    tagOf: (verb, path) => {
      const name = moduleOf(path);
      if (name === undefined) return '@home()';
      return verb === 'W' ? `<W:${name}>…</W>` : `<R:${name}>`;
    },
  };
}
