import type { WorkspaceRoot } from '@bae/workspace';
import type { CodeCatalog } from './code-catalog.ts';
import type { ModuleIndex } from './module-index.ts';

/** A project as one call sees it: its modules are listed once, when they are first needed. */
export class CodeBase {
  readonly root: WorkspaceRoot;
  readonly index: ModuleIndex;
  #catalog: Promise<CodeCatalog> | undefined;

  constructor(root: WorkspaceRoot, index: ModuleIndex) {
    this.root = root;
    this.index = index;
  }

  catalog(): Promise<CodeCatalog> {
    return (this.#catalog ??= this.index.catalog());
  }
}
