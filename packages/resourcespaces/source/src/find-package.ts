import { findNearestName, ResourceError } from '@bae/core';
import type { WorkspaceRoot } from '@bae/workspace';
import { findPackages } from './modules/find-packages.ts';

/**
 * The folder of a package of the project, by its name with or without scope; empty for the root.
 *
 * @throws ResourceError when there is no such package
 */
export async function findPackageFolder(root: WorkspaceRoot, name: string): Promise<string> {
  if (name === '') return '';
  const paths = await root.glob({ pattern: '**/{package.json,pnpm-workspace.yaml}' });
  const packages = await findPackages(root, paths);
  const owner = packages.find((one) => one.name === name || one.label === name);
  if (owner !== undefined) return owner.folder;
  const labels = packages.map(({ label }) => label).filter((label) => label !== '');
  const nearest = findNearestName(name, labels);
  const known = labels.length === 0 ? 'The project is one package.' : `Packages: ${labels.slice(0, 20).join(', ')}.`;
  throw new ResourceError(`no package '${name}' in this project. ${known}`, [
    nearest === undefined ? '<R:>' : `<R: package="${nearest}">`,
  ]);
}
