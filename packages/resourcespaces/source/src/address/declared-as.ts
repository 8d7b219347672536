import { escapePattern } from '@bae/workspace';
import type { CodeBase } from '../modules/code-base.ts';
import type { CodeModule } from '../modules/code-module.ts';
import { symbolPath } from './symbol-path.ts';

/** Lines with a name that are looked at: to search for it is much faster than to parse the whole project. */
const MOST_ROWS = 1000;
const DECLARES = String.raw`\b(?:function\*?|class|interface|type|enum|namespace|const|let|var)`;

/** Where symbols are declared that one without its module, or with a wrong one, may be; those first that are exported. */
export async function declaredAs(address: string, base: CodeBase): Promise<readonly string[]> {
  const name = symbolPath(address)?.at(-1);
  if (name === undefined || !/^[\p{L}$_][\p{L}\p{N}$_]*$/u.test(name)) return [];
  // What is used much is declared in few places, and mostly like this.
  const likely = await declarationsOf(name, await modulesWith(`${DECLARES}\\s+${escapePattern(name)}`, base), base);
  return likely.length > 0 ? likely : declarationsOf(name, await modulesWith(escapePattern(name), base), base);
}

async function declarationsOf(
  name: string,
  modules: readonly CodeModule[],
  { index }: CodeBase,
): Promise<readonly string[]> {
  const found = [...(await index.outlines(modules))].flatMap(([module, { symbols }]) => {
    const symbol = symbols.find((one) => one.name === name && one.origin === undefined);
    return symbol === undefined ? [] : [{ address: `${module.name}.${name}`, exported: symbol.exported }];
  });
  const sorted = found.toSorted((a, b) => Number(b.exported) - Number(a.exported) || (a.address < b.address ? -1 : 1));
  return sorted.map(({ address }) => address);
}

/** The modules with lines that match; all modules when very many lines do. */
async function modulesWith(pattern: string, base: CodeBase): Promise<readonly CodeModule[]> {
  const { modules } = await base.catalog();
  const inQuestion = modules.filter(({ declares }) => !declares);
  const paths = new Set(inQuestion.map(({ path }) => path));
  const only = (path: string) => paths.has(path);
  const found = await base.root.grep({ pattern, only, all: true, limit: MOST_ROWS });
  if (found.matches > found.rows.length) return inQuestion;
  const named = new Set(found.rows.map(({ path }) => path));
  return inQuestion.filter(({ path }) => named.has(path));
}
