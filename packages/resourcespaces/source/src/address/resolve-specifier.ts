import { posix } from 'node:path';
import type { CodeCatalog } from '../modules/code-catalog.ts';
import type { CodeModule } from '../modules/code-module.ts';

const ENDINGS = ['.ts', '.tsx', '.mts', '.cts', '.js', '.jsx', '.mjs', '.cjs', '.d.ts'] as const;
/** Endings of files that may exist on disk for the ending in an import. */
const SOURCES: Readonly<Record<string, readonly string[]>> = {
  '.js': ['.ts', '.tsx'],
  '.jsx': ['.tsx'],
  '.mjs': ['.mts'],
  '.cjs': ['.cts'],
};

/**
 * The module of the project that an import refers to; undefined for what is not in the project.
 *
 * @param from path of the file with the import
 */
export function resolveSpecifier(specifier: string, from: string, catalog: CodeCatalog): CodeModule | undefined {
  if (!specifier.startsWith('.')) return findPackageModule(specifier, catalog);
  const path = posix.join(posix.dirname(from), specifier).replace(/\/$/, '');
  return /^\.\.(?:\/|$)/.test(path) ? undefined : findFileModule(path === '.' ? '' : path, catalog);
}

function findFileModule(path: string, catalog: CodeCatalog): CodeModule | undefined {
  const ending = /\.[cm]?jsx?$/.exec(path)?.[0] ?? '';
  const stem = path.slice(0, path.length - ending.length);
  const candidates = [
    path,
    ...(SOURCES[ending] ?? []).map((other) => stem + other),
    ...ENDINGS.flatMap((other) => [path + other, path === '' ? `index${other}` : `${path}/index${other}`]),
  ];
  for (const candidate of candidates) {
    const module = catalog.moduleAt(candidate);
    if (module !== undefined) return module;
  }
  return undefined;
}

/** A package of the project by its name, or a part of one: the source of what it exports. */
function findPackageModule(specifier: string, catalog: CodeCatalog): CodeModule | undefined {
  const [, name = '', part = ''] = /^((?:@[^/]+\/)?[^/]+)\/?(.*)$/s.exec(specifier) ?? [];
  const owner = catalog.packages.find((one) => one.name === name);
  if (owner === undefined) return undefined;
  const inside = (path: string) => [owner.folder, path].filter((step) => step !== '').join('/');
  const wanted = part === '' ? 'index' : part;
  return findFileModule(inside(`src/${wanted}`), catalog) ?? findFileModule(inside(wanted), catalog);
}
