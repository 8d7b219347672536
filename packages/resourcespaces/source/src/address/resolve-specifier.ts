import type { CodeCatalog } from '../modules/code-catalog.ts';
import type { CodeModule } from '../modules/code-module.ts';

const ENDINGS = ['.ts', '.tsx', '.mts', '.cts', '.js', '.jsx', '.mjs', '.cjs', '.d.ts'] as const;
/** What may stand on disk for an ending that is written. */
const WRITTEN: Readonly<Record<string, readonly string[]>> = {
  '.js': ['.ts', '.tsx'],
  '.jsx': ['.tsx'],
  '.mjs': ['.mts'],
  '.cjs': ['.cts'],
};

/** The module of the project that an import means; undefined for what is not in the project. */
export function resolveSpecifier(specifier: string, from: CodeModule, catalog: CodeCatalog): CodeModule | undefined {
  if (!specifier.startsWith('.')) return packageModule(specifier, catalog);
  const path = joined(from.path, specifier);
  return path === undefined ? undefined : fileModule(path, catalog);
}

function fileModule(path: string, catalog: CodeCatalog): CodeModule | undefined {
  const ending = /\.[cm]?jsx?$/.exec(path)?.[0] ?? '';
  const stem = path.slice(0, path.length - ending.length);
  const candidates = [
    path,
    ...(WRITTEN[ending] ?? []).map((other) => stem + other),
    ...ENDINGS.flatMap((other) => [path + other, path === '' ? `index${other}` : `${path}/index${other}`]),
  ];
  for (const candidate of candidates) {
    const found = catalog.moduleAt(candidate);
    if (found !== undefined) return found;
  }
  return undefined;
}

/** A package of the project by its name, or a part of one; it is taken for the source of what it exports. */
function packageModule(specifier: string, catalog: CodeCatalog): CodeModule | undefined {
  const [, name = '', part = ''] = /^((?:@[^/]+\/)?[^/]+)\/?(.*)$/s.exec(specifier) ?? [];
  const owner = catalog.packages.find((one) => one.name === name);
  if (owner === undefined) return undefined;
  const inside = (path: string) => [owner.folder, path].filter((step) => step !== '').join('/');
  const wanted = part === '' ? 'index' : part;
  return fileModule(inside(`src/${wanted}`), catalog) ?? fileModule(inside(wanted), catalog);
}

/** A path from the folder of a file; undefined when it leads out of the root. */
function joined(file: string, specifier: string): string | undefined {
  const parts = file.split('/').slice(0, -1);
  for (const step of specifier.split('/')) {
    if (step === '' || step === '.') continue;
    if (step !== '..') parts.push(step);
    else if (parts.pop() === undefined) return undefined;
  }
  return parts.join('/');
}
