import type { CodeBase } from '../modules/code-base.ts';
import { findSymbol } from './find-symbol.ts';
import { splitAddress } from './split-address.ts';
import { symbolPath } from './symbol-path.ts';
import type { Target } from './target.ts';

/** What has an address; undefined when nothing has. */
export async function lookUp(base: CodeBase, address: string): Promise<Target | undefined> {
  const { index } = base;
  const catalog = await base.catalog();
  const search = { catalog, load: index.load.bind(index) };
  const folder = catalog.folder(address);
  for (const { module, rest } of splitAddress(address, catalog)) {
    // A folder wins over a symbol: `core.agent` is the folder, whatever the index of core exports.
    if (rest !== '' && folder !== undefined) break;
    if (rest === '') {
      if (folder !== undefined && module.name !== address) break;
      if (folder !== undefined && module.isIndex) break;
      return { kind: 'module', source: await index.load(module) };
    }
    const names = symbolPath(rest);
    const symbol = names && (await findSymbol(await index.load(module), names, search));
    if (symbol !== undefined) return symbol;
  }
  return folder && { kind: 'folder', folder };
}
