import { findByName, findTarget } from './find-by-name.ts';
import { followNames } from './find-in-owners.ts';
import { formatSymbolPath, type SymbolTarget, type Target } from './target.ts';
import type { CodeBase } from '../modules/module-index.ts';

/** Maximum number of steps from a symbol to the type that has the member. */
const MOST_STEPS = 5;

/**
 * Finds a member that a symbol has from its type: a class from those that it extends, a constant with a declared type
 * from that type. Undefined when a name on the way is not that of one symbol.
 */
export async function findInherited(base: CodeBase, owner: SymbolTarget, member: string): Promise<Target | undefined> {
  let owners: readonly SymbolTarget[] = [owner];
  for (let step = 0; step < MOST_STEPS && owners.length > 0; step++) {
    const types = await Promise.all(owners.map((one) => findDeclaredTypes(base, one)));
    owners = types.flat();
    for (const type of owners) {
      const [found] = followNames(type.path.at(-1)!.members, [member]);
      if (found !== undefined) return { ...type, path: [...type.path, found] };
    }
  }
  return undefined;
}

/** Finds the types that the declarations of a symbol name. */
async function findDeclaredTypes(base: CodeBase, { source, path }: SymbolTarget): Promise<readonly SymbolTarget[]> {
  const symbol = path.at(-1)!;
  if (symbol.kind === 'function' || symbol.kind === 'method') return [];
  const heads = symbol.declarations.map(({ head }) => source.text.slice(head.start, head.end));
  const found = new Set(heads.flatMap(listTypeNames));
  found.delete(formatSymbolPath(path));
  const targets = Array.from(found, async (name) => {
    const own = await findTarget(base, `${source.module.name}.${name}`);
    const [target, ...others] = own === undefined ? await findByName(base, name) : [own];
    return target?.kind === 'symbol' && others.length === 0 ? [target] : [];
  });
  return (await Promise.all(targets)).flat();
}

/** Lists the names of the types in the head of a declaration: `A extends B`, `a: B`, `A(B)`. */
function listTypeNames(head: string): readonly string[] {
  const [, types = ''] = /^[^(:=]*?(?:\bextends\b|:|^[\w$]+\()([^=]*)/s.exec(head) ?? [];
  return types.replaceAll(/<[^<>]*>|\[[^\]]*\]/g, '').match(/[\p{ID_Start}$_][\p{ID_Continue}$.]*/gu) ?? [];
}
