import { escapePattern } from '@bae/workspace';
import { getAddressName, type Target } from './target.ts';
import { findByName, findSymbolsWhere, findTarget, KEYWORDS } from './find-by-name.ts';
import type { SymbolOutline } from '../language/outline.ts';
import type { CodeCatalog } from '../modules/code-catalog.ts';
import type { CodeBase } from '../modules/module-index.ts';

/** Minimum length of the beginning of a name for which all modules are searched, in characters. */
const SHORTEST = 2;

/**
 * Returns the addresses that begin with a text, each one name longer than what was written: packages, folders and
 * modules, the symbols of a module, the members of a symbol, and symbols without their module.
 */
export async function completeAddress(base: CodeBase, text: string, limit: number): Promise<readonly string[]> {
  const dot = text.lastIndexOf('.');
  const [head, start] = [text.slice(0, Math.max(dot, 0)), text.slice(dot + 1)];
  const names = new Set(listNamesBelow(head, await base.catalog()));
  if (head !== '') for (const symbol of listSymbols(await findHead(base, head))) names.add(getAddressName(symbol));
  else if (start.length >= SHORTEST) for (const name of await findDeclaredNames(base, start)) names.add(name);
  const found = [...names].filter((name) => name.startsWith(start)).toSorted();
  return found.slice(0, limit).map((name) => (head === '' ? name : `${head}.${name}`));
}

/** Lists the names of the packages, folders and modules directly below a folder. */
function listNamesBelow(folder: string, { modules }: CodeCatalog): readonly string[] {
  const prefix = folder === '' ? '' : `${folder}.`;
  return modules
    .filter(({ name, declares }) => !declares && name.startsWith(prefix))
    .map(({ name }) => name.slice(prefix.length).split('.')[0]!)
    .filter((name) => name !== '');
}

async function findHead(base: CodeBase, head: string): Promise<Target | undefined> {
  const target = (await findTarget(base, head)) ?? (await findByName(base, head))[0];
  // Symbols of a folder are those of its index.
  const index = target?.kind === 'folder' ? (await base.catalog()).module(head) : undefined;
  return index === undefined ? target : { kind: 'module', source: await base.index.load(index), path: [] };
}

function listSymbols(target: Target | undefined): readonly SymbolOutline[] {
  if (target?.kind === 'module') return target.source.outline.symbols;
  return target?.kind === 'symbol' ? target.path.at(-1)!.members : [];
}

/** Finds the names of symbols of modules that begin with a text. */
async function findDeclaredNames(base: CodeBase, start: string): Promise<readonly string[]> {
  const found = await findSymbolsWhere(
    base,
    `${KEYWORDS}\\s+${escapePattern(start)}`,
    (symbol) => symbol.origin === undefined && getAddressName(symbol).startsWith(start),
  );
  return found.map(({ path }) => getAddressName(path[0]!));
}
