import { posix } from 'node:path';
import { escapePattern } from '@bae/workspace';
import { readFields } from '@bae/project';
import type { CodeModule } from '../modules/code-catalog.ts';
import { isIdentifier, makeNamePattern } from '../type-service/identifier-name.ts';
import type { CodeBase } from '../modules/module-index.ts';
import { findByName, findInModule, findTarget, isAsideModule } from './find-by-name.ts';
import { findFolderAt, limitToPath, translatePath, resolveSpecifier, type Target } from './target.ts';

/** Finds the target of an address, or everything that a name may stand for; last, what is inside of functions. */
export async function findTargets(base: CodeBase, address: string): Promise<readonly Target[]> {
  const found = await findBeforeTitles(base, address);
  const { packages, project } = await base.catalog();
  const own = packages.at(-1)?.name ?? '';
  // Most projects have something of the same name as themselves, which is meant then, but in tests it is a variable.
  const isOnlyAside = found.every((one) => one.kind !== 'folder' && isAsideModule(one.source.module));
  if (own === address && isOnlyAside) {
    const main = await findMainModule(base);
    return [main === undefined ? { kind: 'folder', folder: project } : await openModule(base, main)];
  }
  if (found.length > 0) return found;
  // `commander.Command`: what is in a package is named after it.
  if (own !== '' && address.startsWith(own) && /^[.#/]/.test(address.slice(own.length))) {
    const inside = await findTargets(base, address.slice(own.length + 1));
    if (inside.length > 0) return inside;
  }
  const below = await findBelowFolder(base, address);
  if (below.length > 0) return below;
  return (await isMentioned(base, address)) ? findIn(base.inner, address) : [];
}

/** Finds the target of an address; a name is rather that of something in a function than the title of a test. */
async function findBeforeTitles(base: CodeBase, address: string): Promise<readonly Target[]> {
  const found = await findIn(base, address);
  const isTitle = found.length > 0 && found.every((one) => one.kind === 'module' && one.lines !== undefined);
  if (!isTitle || !isIdentifier(address)) return found;
  const inner = await findIn(base.inner, address);
  return inner.length > 0 ? inner : found;
}

async function openModule(base: CodeBase, module: CodeModule): Promise<Target> {
  return { kind: 'module', source: await base.index.load(module), path: [] };
}

/** Finds what a package passes on from a module below it, as those of Python do: `click.Command` of `click.core`. */
async function findBelowFolder(base: CodeBase, address: string): Promise<readonly Target[]> {
  const catalog = await base.catalog();
  const names = address.replaceAll('#', '.').split('.');
  for (let count = names.length - 1; count > 0; count--) {
    const folder = names.slice(0, count).join('.');
    const index = catalog.folder(folder) && catalog.module(folder);
    if (index === undefined) continue;
    const { text } = await base.index.load(index);
    if (!makeNamePattern(names[count]!).test(text)) return [];
    const found = await findByName(base, names.slice(count).join('.'));
    return found.filter((one) => one.kind === 'symbol' && one.source.module.name.startsWith(`${folder}.`));
  }
  return [];
}

/** Tests whether modules have the last name of an address anywhere: without it, none needs to be read. */
async function isMentioned(base: CodeBase, address: string): Promise<boolean> {
  const [name] = /[\p{ID_Start}$_][\p{ID_Continue}$]*(?=\W*$)/u.exec(address) ?? [];
  if (name === undefined) return false;
  const { modules } = await base.catalog();
  return (await base.grep(modules, { pattern: escapePattern(name), limit: 0 })).matches > 0;
}

async function findIn(base: CodeBase, address: string): Promise<readonly Target[]> {
  const catalog = await base.catalog();
  if (address === '') return [{ kind: 'folder', folder: catalog.project }];
  const exact = await findTarget(base, address);
  if (exact !== undefined) return [exact];
  const translated = isPath(address) ? translatePath(address, catalog) : undefined;
  const atPath = translated === undefined ? undefined : await findTarget(base, translated);
  if (atPath !== undefined) return [limitToPath(atPath, address)];
  const atFolder = findFolderAt(address, catalog);
  if (atFolder !== undefined) return [atFolder];
  const named = /^(\S+)\s+([\w$.#]+)$/.exec(address);
  const inModule = named === null ? [] : await findBehindModule(base, named[1]!, named[2]!);
  if (inModule.length > 0) return inModule;
  const found = await findByName(base, address);
  return found.length > 0 ? found : findInModule(base, address);
}

/** Finds a symbol that is named after its module: `src/a.ts Queue.add`. */
async function findBehindModule(base: CodeBase, module: string, symbol: string): Promise<readonly Target[]> {
  const name = isPath(module) ? translatePath(module, await base.catalog()) : module;
  const exact = name === undefined ? undefined : await findTarget(base, `${name}#${symbol}`);
  if (exact !== undefined || !/\.\w+$/.test(module)) return exact === undefined ? [] : [exact];
  // Only the end of the path: `queue.ts Queue.add`.
  return (await findByName(base, `${module}#${symbol}`)).filter(({ kind }) => kind === 'symbol');
}

/** Returns true for a text with a path separator outside of brackets. */
export function isPath(address: string): boolean {
  return /[/\\]/.test(address.replaceAll(/\[[^\]]*\]/g, '[]'));
}

/** Folders for built files, which are made from those in the folders for sources. */
const BUILT = /^(?:dist|build|lib|out|esm|cjs|distribution)(?=\/)/;
const SOURCES = ['src', 'source', 'lib'] as const;

/** Finds the module that others get who import the package at the root, from its manifest; undefined if none is known. */
async function findMainModule(base: CodeBase): Promise<CodeModule | undefined> {
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
