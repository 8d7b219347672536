import { ResourceError, type BaeError } from '@bae/core';
import { renderRange, showPath, type WorkspaceRoot } from '@bae/workspace';
import type { CodeBase } from '../modules/code-base.ts';
import { complaint, type AddressUse } from './usage.ts';

/** The error for a read of what is a file of the project and no module, with the tag that reads it; else undefined. */
export async function fileAtHome(use: AddressUse, { root }: CodeBase): Promise<BaeError | undefined> {
  const { address, verb, range } = use;
  if (verb !== 'read' || !(await isFile(address, root))) return undefined;
  const shown = showPath(address);
  const fact = `'${shown}' is a file, and no module or symbol`;
  const words = { expected: 'a package, module or symbol', remedy: 'Read it at home.' };
  return new ResourceError(complaint(use, fact, words), [`<home.R:${shown}${suffix(range)}>`]);
}

function suffix(range: AddressUse['range']): string {
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
