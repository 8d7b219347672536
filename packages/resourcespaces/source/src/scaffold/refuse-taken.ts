import { ResourceError } from '@bae/core';
import { showPath } from '@bae/workspace';
import type { CodeBase } from '../modules/code-base.ts';
import type { CodeCatalog } from '../modules/code-catalog.ts';

/**
 * Refuses the name of a new space that something in the project has, or whose folder is there.
 *
 * @throws ResourceError that says what it is
 */
export async function refuseTaken(
  base: CodeBase,
  { name, folder }: { readonly name: string; readonly folder: string },
): Promise<void> {
  const catalog = await base.catalog();
  const owner = ownerOf(name, catalog);
  if (owner !== undefined) {
    throw new ResourceError(
      `${name} is ${owner} of this project, and no new resourcespace can have its name. Choose another one, or send the content of a module. Nothing was written.`,
      [`<R:${name}>`],
    );
  }
  const there = await inTheWay(base, folder);
  if (there === undefined) return;
  const address = there.replaceAll('/', '.');
  throw new ResourceError(
    `${showPath(there)} is there already, and the new resourcespace ${name} would be made in ${showPath(folder)}. Choose another name, or let the user move what is there. Nothing was written.`,
    [catalog.folder(address) === undefined ? '<R:>' : `<R:${address}>`],
  );
}

/** The folder itself when something is there, else a file where one of the folders above it would have to be. */
async function inTheWay({ root }: CodeBase, folder: string): Promise<string | undefined> {
  if ((await root.info(folder)).kind !== 'missing') return folder;
  const parts = folder.split('/').slice(0, -1);
  for (const [index] of parts.entries()) {
    const above = parts.slice(0, index + 1).join('/');
    const { kind } = await root.info(above);
    if (kind === 'file' || kind === 'special') return above;
  }
  return undefined;
}

function ownerOf(name: string, catalog: CodeCatalog): string | undefined {
  if (catalog.packages.some(({ label }) => label === name)) return 'a package';
  if (catalog.folder(name) !== undefined) return 'a folder';
  return (catalog.module(name) ?? catalog.moduleMeant(name)) === undefined ? undefined : 'a module';
}
