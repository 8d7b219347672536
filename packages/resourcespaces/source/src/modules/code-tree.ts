import type { CodeFolder } from './code-folder.ts';
import type { CodeModule } from './code-module.ts';
import type { CodePackage } from './code-package.ts';

type Growing = Omit<CodeFolder, 'folders' | 'modules'> & {
  readonly folders: Growing[];
  readonly modules: CodeModule[];
  index?: CodeModule;
  package?: CodePackage;
};

/** The folders of a project by address; `''` is the project itself. Folders without modules are not there. */
export function codeTree(
  modules: readonly CodeModule[],
  packages: readonly CodePackage[],
): ReadonlyMap<string, CodeFolder> {
  const folders = new Map<string, Growing>([['', { name: '', folders: [], modules: [] }]]);
  const folderOf = (name: string, owner: CodePackage): Growing => {
    const known = folders.get(name);
    if (known !== undefined) return known;
    const folder: Growing = { name, folders: [], modules: [] };
    folders.set(name, folder);
    // A label may have dots, and is one step all the same.
    const parent = name === owner.label ? '' : name.slice(0, Math.max(name.lastIndexOf('.'), 0));
    folderOf(parent, owner).folders.push(folder);
    return folder;
  };
  for (const module of modules) {
    const folder = folderOf(module.folder, module.package);
    if (module.isIndex && module.name === module.folder) folder.index = module;
    else folder.modules.push(module);
  }
  for (const one of packages) {
    const folder = folders.get(one.label);
    if (folder !== undefined) folder.package = one;
  }
  for (const { folders: below } of folders.values()) below.sort((a, b) => (a.name < b.name ? -1 : 1));
  return folders;
}
