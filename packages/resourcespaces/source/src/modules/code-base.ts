import type { WorkspaceRoot } from '@bae/workspace';
import type { CodeCatalog } from './code-catalog.ts';
import type { ModuleIndex } from './module-index.ts';

/** A project as one call sees it: looked at once, when the first thing is asked. */
export class CodeBase {
  readonly root: WorkspaceRoot;
  readonly index: ModuleIndex;
  #catalog: Promise<CodeCatalog> | undefined;

  constructor(root: WorkspaceRoot, index: ModuleIndex) {
    this.root = root;
    this.index = index;
  }

  /** The modules that are there. */
  catalog(): Promise<CodeCatalog> {
    return (this.#catalog ??= this.index.catalog());
  }
}
