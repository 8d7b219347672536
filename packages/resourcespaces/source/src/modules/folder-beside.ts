import type { CodeCatalog } from './code-catalog.ts';
import type { CodeFolder } from './code-folder.ts';
import type { CodeModule } from './code-module.ts';

/** The folder that has the name of a module, which is not its index: `router/` beside `router.ts`. */
export function folderBeside({ name, folder, isIndex }: CodeModule, catalog: CodeCatalog): CodeFolder | undefined {
  return isIndex && name === folder ? undefined : catalog.folder(name);
}
