import { ResourceError } from '@bae/core';
import { renderRange, showPath } from '@bae/workspace';
import type { CodeBase } from '../modules/code-base.ts';
import { fileAtHome } from './file-at-home.ts';
import { lookUp } from './look-up.ts';
import { symbolPath } from './symbol-path.ts';
import type { Target } from './target.ts';
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
  const translated = translatePath(use.address, catalog);
  const meant = await existing(base, translated);
  const file = meant === undefined ? await fileAtHome(use, base) : undefined;
  if (file !== undefined) throw file;
  const fresh = use.verb === 'write' && meant === undefined ? nameOfNew(use.address, catalog) : undefined;
  const fact = `use module notation: '${showPath(use.address)}' ${problem}`;
  const elsewhere = fresh === undefined ? ['<R:>', '<G:**>'] : [`<W:${showPath(fresh)}>`];
  const tags =
    meant === undefined
      ? elsewhere
      : [`<R:${showPath(meant.address)}${meant.address === translated ? lines(use, meant) : ''}>`];
  throw new ResourceError(complaint(use, fact, { expected: 'names with dots between them' }), tags);
}

interface Existing {
  readonly address: string;
  readonly target: Target;
}

/** The lines that were asked for, where there are any. */
function lines({ range }: AddressUse, { target }: Existing): string {
  if (range === undefined || target.kind === 'folder') return '';
  const [first, last] = range;
  return last === null ? `:${first}-` : `:${renderRange(first, last)}`;
}

/** An address, or as much of it as is there. */
async function existing(base: CodeBase, address: string | undefined): Promise<Existing | undefined> {
  if (address === undefined) return undefined;
  const target = await lookUp(base, address);
  if (target !== undefined) return { address, target };
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
