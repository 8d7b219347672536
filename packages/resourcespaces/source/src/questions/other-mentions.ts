import { counted, escapePattern } from '@bae/workspace';
import type { SymbolTarget } from '../address/target.ts';
import type { CodeBase } from '../modules/code-base.ts';

/** Modules that are named one by one. */
const NAMED = 3;

/**
 * Where the name of an exported symbol stands besides its uses, as a line; none where it does not. The compiler takes
 * those for something else, or cannot tell: a package that is not installed leads nowhere.
 *
 * @param known paths of the modules with uses, and of the declaration
 */
export async function otherMentions(
  { root, index }: CodeBase,
  { target: { path }, known }: { readonly target: SymbolTarget; readonly known: ReadonlySet<string> },
  signal: AbortSignal,
): Promise<readonly string[]> {
  const [symbol, ...inside] = path;
  if (symbol === undefined || inside.length > 0 || !symbol.exported) return [];
  const name = symbol.localName ?? symbol.name;
  if (name === 'default') return [];
  const catalog = await index.catalog();
  const only = (file: string) => !known.has(file) && catalog.moduleAt(file) !== undefined;
  const pattern = String.raw`(^|[^\w$])${escapePattern(name)}([^\w$]|$)`;
  const { rows } = await root.grep({ pattern, only, limit: Number.MAX_SAFE_INTEGER, all: true, signal });
  const names = [...new Set(rows.map((row) => catalog.moduleAt(row.path)?.name ?? row.path))];
  if (names.length === 0) return [];
  const more = names.length > NAMED ? `, …` : '';
  const where = `${counted(names.length, 'other module')}: ${names.slice(0, NAMED).join(', ')}${more}`;
  return [`the name stands for something else, or cannot be resolved, in ${where}`];
}
