import type { CodeBase } from '../modules/code-base.ts';
import { resolveSymbol } from '../questions/resolve-symbol.ts';

/**
 * What a renaming is about, for rules over consent. No rule for some files may allow it, and every rule that forbids
 * some forbids it, since it changes files that are not known before: it is no plain path.
 *
 * @throws ResourceError when nothing has the address, or it is no symbol
 */
export async function renameScope(base: CodeBase, address: string): Promise<string> {
  const { source } = await resolveSymbol(base, { address, verb: 'rename' });
  return `${source.module.path}/../(and wherever it is used)`;
}
