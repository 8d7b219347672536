import type { CodeBase } from '../modules/code-base.ts';
import { addressError } from './address-error.ts';
import { lookUp } from './look-up.ts';
import { refuseNotation } from './refuse-notation.ts';
import type { Target } from './target.ts';
import type { AddressUse } from './usage.ts';

/**
 * What an address stands for at this moment. A module wins over a symbol, a longer module over a shorter one, and a
 * module over a folder of the same name.
 *
 * @throws ResourceError when it is no address, or nothing has it: with the nearest that there is
 */
export async function resolveAddress(base: CodeBase, use: AddressUse): Promise<Target> {
  const catalog = await base.catalog();
  const address = use.address.trim();
  if (address === '') return { kind: 'folder', folder: catalog.project };
  await refuseNotation(base, { ...use, address });
  const found = await lookUp(base, address);
  if (found !== undefined) return found;
  throw await addressError({ ...use, address }, base);
}
