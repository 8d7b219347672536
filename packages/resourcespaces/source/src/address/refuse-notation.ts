import type { BaeError } from '@bae/core';
import { renderRange, formatPath, type WorkspaceRoot } from '@bae/workspace';
import type { CodeBase } from '../modules/code-base.ts';
import { createAddressError, type AddressUse } from './address-problem.ts';
import { findTarget } from './find-symbol.ts';
import { splitSymbolPath, type Target } from './target.ts';
import { nameNewModule, translatePath } from './translate-path.ts';

/** Refuses a path, and an address with an empty name. */
export async function refuseNotation(base: CodeBase, use: AddressUse): Promise<void> {
  const problem = findProblem(use.address);
  if (problem === undefined) return;
  const catalog = await base.catalog();
  const fact = `use module notation: '${formatPath(use.address)}' ${problem}`;
  const refuse = (...tags: readonly string[]) =>
    createAddressError(use, fact, { expected: 'names with dots between them', tags });
  const translated = translatePath(use.address, catalog);
  const known = await findLongest(base, translated);
  if (known !== undefined) {
    const hasLines = known.address === translated && known.target.kind !== 'folder';
    throw refuse(`<R:${formatPath(known.address)}${hasLines ? rangeSuffix(use) : ''}>`);
  }
  const file = await createFileError(use, base);
  if (file !== undefined) throw file;
  const fresh = use.definition.name === 'write' ? nameNewModule(use.address, catalog) : undefined;
  throw fresh === undefined ? refuse('<R:>', '<G:**>') : refuse(`<W:${formatPath(fresh)}>`);
}

/** An address, or the longest part of it that exists. */
async function findLongest(
  base: CodeBase,
  address: string | undefined,
): Promise<{ readonly address: string; readonly target: Target } | undefined> {
  if (address === undefined) return undefined;
  const target = await findTarget(base, address);
  if (target !== undefined) return { address, target };
  const shorter = splitSymbolPath(address)?.slice(0, -1).join('.');
  return findLongest(base, shorter === '' ? undefined : shorter);
}

/** Why a text is no address; between brackets everything is part of a name. */
function findProblem(address: string): string | undefined {
  const bare = address.replaceAll(/\[[^\]]*\]/g, '[]');
  if (/[/\\]/.test(bare)) return 'contains a path separator';
  if (bare.includes('..')) return "contains '..'";
  return /^\.|\.$/.test(bare) ? 'has an empty name' : undefined;
}

/** The error for reading a file of the project that is no module, with the tag that reads it; undefined for others. */
export async function createFileError(use: AddressUse, { root }: CodeBase): Promise<BaeError | undefined> {
  const { address, definition } = use;
  if (definition.name !== 'read' || !(await isFile(address, root))) return undefined;
  const path = formatPath(address);
  const fact = `'${path}' is a file, and no module or symbol`;
  return createAddressError(use, fact, {
    expected: 'a package, module or symbol',
    remedy: 'Read it at home.',
    tags: [`<home.R:${path}${rangeSuffix(use)}>`],
  });
}

function rangeSuffix({ range }: AddressUse): string {
  if (range === undefined) return '';
  const [first, last] = range;
  return last === null ? `:${first}-` : `:${renderRange(first, last)}`;
}

async function isFile(path: string, root: WorkspaceRoot): Promise<boolean> {
  try {
    return (await root.info(path)).kind === 'file';
  } catch {
    return false;
  }
}
