import { ResourceError } from '@bae/core';
import { renderRange, showPath } from '@bae/workspace';
import type { CodeBase } from '../modules/code-base.ts';
import { lookUp } from './look-up.ts';
import { symbolPath } from './symbol-path.ts';
import { nameOfNew, translatePath } from './translate-path.ts';
import { complaint, type AddressUse } from './usage.ts';

/**
 * Refuses what is a path, or has a name missing.
 *
 * @throws ResourceError with the address that was meant, when there is one
 */
export async function refuseNotation(base: CodeBase, use: AddressUse): Promise<void> {
  const problem = problemOf(use.address);
  if (problem === undefined) return;
  const catalog = await base.catalog();
  const translated = await existing(base, translatePath(use.address, catalog));
  const fresh = use.verb === 'write' && translated === undefined ? nameOfNew(use.address, catalog) : undefined;
  const fact = `use module notation: '${showPath(use.address)}' ${problem}`;
  const elsewhere = fresh === undefined ? ['<R:>', '<G:**>'] : [`<W:${showPath(fresh)}>`];
  const tags = translated === undefined ? elsewhere : [`<R:${showPath(translated)}${lines(use)}>`];
  throw new ResourceError(complaint(use, fact, { expected: 'names with dots between them' }), tags);
}

function lines({ range }: AddressUse): string {
  if (range === undefined) return '';
  const [first, last] = range;
  return last === null ? `:${first}-` : `:${renderRange(first, last)}`;
}

/** An address, or as much of it as is there. */
async function existing(base: CodeBase, address: string | undefined): Promise<string | undefined> {
  if (address === undefined || (await lookUp(base, address)) !== undefined) return address;
  const shorter = symbolPath(address)?.slice(0, -1).join('.');
  return existing(base, shorter === '' ? undefined : shorter);
}

/** What is no address; between brackets everything is part of a name. */
function problemOf(address: string): string | undefined {
  const bare = address.replaceAll(/\[[^\]]*\]/g, '[]');
  if (/[/\\]/.test(bare)) return 'contains a path separator';
  if (bare.includes('..')) return "contains '..'";
  return /^\.|\.$/.test(bare) ? 'has an empty name' : undefined;
}
