import { counted } from '@bae/workspace';
import { type CodeFolder, type CodeModule, foldersBelow, modulesBelow } from '../modules/code-module.ts';

/** The modules in a folder, at any depth; those that only declare types when `all` is wanted. */
export function modulesIn(folder: CodeFolder, all: boolean): readonly CodeModule[] {
  return modulesBelow(folder).filter(({ declares }) => all || !declares);
}

/** How much is in a folder: `9 folders, 48 modules`. */
export function folderCounts(folder: CodeFolder, all: boolean): string {
  const folders = foldersBelow(folder).length;
  return `${folders === 0 ? '' : `${counted(folders, 'folder')}, `}${counted(modulesIn(folder, all).length, 'module')}`;
}
