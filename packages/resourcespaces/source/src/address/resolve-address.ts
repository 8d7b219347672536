import type { CodeBase } from '../modules/code-base.ts';
import { createAddressError, type AddressUse } from './address-problem.ts';
import { findTarget } from './find-symbol.ts';
import { createMissingAddressError } from './missing-address.ts';
import { refuseNotation } from './refuse-notation.ts';
import { getModuleAddress, type SymbolTarget, type Target } from './target.ts';

/**
 * What an address stands for at this moment. A module wins over a symbol, a longer module over a shorter one, and a
 * module over a folder of the same name.
 */
export async function resolveAddress(base: CodeBase, use: AddressUse): Promise<Target> {
  const address = use.address.trim();
  if (address === '') return { kind: 'folder', folder: (await base.catalog()).project };
  await refuseNotation(base, { ...use, address });
  const target = await findTarget(base, address);
  if (target !== undefined) return target;
  throw await createMissingAddressError({ ...use, address }, base);
}

/** The symbol that has an address. */
export async function resolveSymbol(base: CodeBase, use: AddressUse): Promise<SymbolTarget> {
  const target = await resolveAddress(base, use);
  if (target.kind === 'symbol') return target;
  const name = getModuleAddress(target);
  const kind = target.kind === 'module' ? 'a module' : name === '' ? 'no symbol' : 'a folder';
  const fact = `${name === '' ? 'the project' : `'${name}'`} is ${kind}`;
  throw createAddressError(use, fact, { expected: 'a symbol', tags: [`<R:${name}>`] });
}
