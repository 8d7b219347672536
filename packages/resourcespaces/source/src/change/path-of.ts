import { resolveAddress } from '../address/resolve-address.ts';
import type { CodeBase } from '../modules/code-base.ts';

/**
 * The file that an edit changes, below the root and without links: what rules over consent are compared with.
 *
 * @throws ResourceError when nothing has the address
 */
export async function pathOf(base: CodeBase, address: string): Promise<string> {
  const target = await resolveAddress(base, { address: address.replace(/[.#]import$/, ''), verb: 'edit' });
  if (target.kind === 'folder') return target.folder.index?.path ?? '';
  return (await base.root.info(target.source.module.path)).path;
}
