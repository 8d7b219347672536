import { posix } from 'node:path';
import { readFields } from '@bae/project';
import type { CodeModule } from '../modules/code-catalog.ts';
import type { CodeBase } from '../modules/module-index.ts';
import { resolveSpecifier } from './target.ts';

/** Folders for built files, which are made from those in the folders for sources. */
const BUILT = /^(?:dist|build|lib|out|esm|cjs|distribution)(?=\/)/;
const SOURCES = ['src', 'source', 'lib'] as const;

/** Finds the module that others get who import the package at the root, from its manifest; undefined if none is known. */
export async function findMainModule(base: CodeBase): Promise<CodeModule | undefined> {
  const { exports, main, module, source } = await readFields(base.root, 'package.json');
  const catalog = await base.catalog();
  const listed = [source, ...listExportPaths(exports), module, main].filter((one) => typeof one === 'string');
  for (const path of [...listed.map((one) => posix.normalize(one)), ...(listed.length === 0 ? ['index.js'] : [])]) {
    for (const one of [path, ...SOURCES.map((folder) => path.replace(BUILT, folder))]) {
      const found = resolveSpecifier(`./${one}`, '', catalog);
      if (found !== undefined) return found;
    }
  }
  return undefined;
}

/** Lists the paths of the main export: `exports`, `exports['.']`, and those of their conditions. */
function listExportPaths(exports: unknown): readonly string[] {
  if (typeof exports === 'string') return [exports];
  if (typeof exports !== 'object' || exports === null) return [];
  const record = exports as Readonly<Record<string, unknown>>;
  if ('.' in record) return listExportPaths(record['.']);
  return Object.entries(record).flatMap(([name, value]) => (name.startsWith('.') ? [] : listExportPaths(value)));
}
