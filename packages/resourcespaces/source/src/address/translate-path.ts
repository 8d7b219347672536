import { posix } from 'node:path';
import { type FileWords, formatPath } from '@bae/workspace';
import { splitAddress } from './target.ts';
import { CodeCatalog, type CodeModule, formatModulePath, splitFileName } from '../modules/code-catalog.ts';

/** A path with a symbol behind it: `src/a.ts#Name`, `src/a.ts:Name`. */
const WITH_SYMBOL = /^(.+\.(?:[cm]?[jt]s|[jt]sx))(?:#|::?|\.)(.+)$/s;

/** The address that a path stands for; undefined when nothing is there. */
export function translatePath(given: string, catalog: CodeCatalog): string | undefined {
  const path = given
    .replaceAll('\\', '/')
    .replace(/^(?:\.?\/)+/, '')
    .replace(/\/+$/, '');
  const module = findModule(path, catalog) ?? findPackageModule(path, catalog)?.name;
  if (module !== undefined) return module;
  const [, file = '', symbol = ''] = WITH_SYMBOL.exec(path) ?? [];
  const owner = file === '' ? undefined : findModule(file, catalog);
  if (owner !== undefined) return `${owner}.${symbol}`;
  const folder = findFolderModule(path, catalog);
  if (folder !== undefined) return folder;
  const dotted = path.replaceAll('/', '.');
  if (/(?:^|\.)(?:\.|$)/.test(dotted)) return undefined;
  const whole = catalog.findModule(dotted);
  if (whole !== undefined) return whole.name;
  const [split] = splitAddress(dotted, catalog);
  return split && [split.module.name, split.rest].filter((part) => part !== '').join('.');
}

/** The name that a new module at a path gets. */
export function nameNewModule(path: string, { packages }: CodeCatalog): string {
  return new CodeCatalog([path], packages).modules[0]!.name;
}

function findFolderModule(path: string, catalog: CodeCatalog): string | undefined {
  const inside = catalog.packages.find(({ folder }) => folder !== '' && `${path}/`.startsWith(`${folder}/`));
  const below = inside === undefined ? path : path.slice(inside.folder.length + 1);
  const parts = below.split('/').filter((part) => part !== '');
  const name = formatModulePath([inside?.label ?? '', ...(parts[0] === 'src' ? parts.slice(1) : parts)]);
  return name === '' ? undefined : catalog.folder(name)?.name;
}

function findModule(path: string, catalog: CodeCatalog): string | undefined {
  return resolveSpecifier(`./${path}`, '', catalog)?.name;
}

/**
 * Names files by the addresses of their modules, also files that were removed. Other files keep their paths, and are
 * opened at home: no path can be read here.
 */
export function makeFileWords(catalog: CodeCatalog): FileWords {
  const moduleOf = (path: string): string | undefined => {
    const { name } = catalog.moduleAt(path) ?? {};
    return name ?? (splitFileName(path) === undefined ? undefined : nameNewModule(path, catalog));
  };
  return {
    nameOf: (path) => moduleOf(path) ?? formatPath(path),
    tagOf: (verb, path) => {
      const name = moduleOf(path);
      if (name === undefined) return '@home()';
      return verb === 'W' ? `<W:${name}>…</W>` : `<R:${name}>`;
    },
  };
}

const ENDINGS = ['.ts', '.tsx', '.mts', '.cts', '.js', '.jsx', '.mjs', '.cjs', '.d.ts'] as const;
/** Endings of files that may exist on disk for the ending in an import. */
const SOURCES: Readonly<Record<string, readonly string[]>> = {
  '.js': ['.ts', '.tsx'],
  '.jsx': ['.tsx'],
  '.mjs': ['.mts'],
  '.cjs': ['.cts'],
};

/** The module of the project that an import in the file `from` refers to; undefined for what is not in the project. */
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
