import { ResourceError } from '@bae/core';
import { resolveAddress } from '../address/resolve-address.ts';
import type { SymbolTarget } from '../address/target.ts';
import { complaint, type AddressUse } from '../address/usage.ts';
import type { CodeBase } from '../modules/code-base.ts';

/**
 * The symbol that has an address.
 *
 * @throws ResourceError when nothing has the address, or it is no symbol
 */
export async function resolveSymbol(base: CodeBase, use: AddressUse): Promise<SymbolTarget> {
  const target = await resolveAddress(base, use);
  if (target.kind === 'symbol') return target;
  const name = target.kind === 'module' ? target.source.module.name : target.folder.name;
  const what = name === '' ? 'the project' : `'${name}'`;
  const kind = target.kind === 'module' ? 'a module' : name === '' ? 'no symbol' : 'a folder';
  const fact = `${what} is ${kind}`;
  throw new ResourceError(complaint(use, fact, { expected: 'a symbol' }), [`<R:${name}>`]);
}
