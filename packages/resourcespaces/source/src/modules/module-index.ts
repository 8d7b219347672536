import type { WorkspaceRoot } from '@bae/workspace';
import type { Language, Outline } from '../language/outline.ts';
import { CodeCatalog } from './code-catalog.ts';
import { PROJECT_FILES } from './code-files.ts';
import type { CodeModule } from './code-module.ts';
import { findPackages } from './find-packages.ts';
import { OutlineCache, type OnProgress } from './outline-cache.ts';
import type { SourceModule } from './source-module.ts';

/** What was there when the project was last looked at. */
interface Snapshot {
  /** Paths of all files; those of manifests with their stamps. */
  readonly files: ReadonlyMap<string, string>;
  readonly catalog: CodeCatalog;
}

/**
 * What a project consists of, looked up when it is asked for: names follow from the files that are there at that
 * moment, contents are read when they are needed, and only outlines are kept.
 */
export class ModuleIndex {
  readonly #root: WorkspaceRoot;
  readonly #outlines: OutlineCache;
  #snapshot: Snapshot | undefined;

  constructor(root: WorkspaceRoot, onProgress?: OnProgress) {
    this.#root = root;
    this.#outlines = new OutlineCache(root, onProgress);
  }

  get language(): Promise<Language> {
    return this.#outlines.language;
  }

  /** The modules that are there now. */
  async catalog(): Promise<CodeCatalog> {
    const files = await this.#root.stamps({ pattern: PROJECT_FILES, stamped: isManifest });
    const old = this.#snapshot;
    const isSame = old !== undefined && same(old.files, files);
    if (!isSame) {
      this.#outlines.keepOnly(files);
      const paths = [...files.keys()];
      this.#snapshot = { files, catalog: new CodeCatalog(paths, await findPackages(this.#root, paths)) };
    }
    return (this.#snapshot as Snapshot).catalog;
  }

  /**
   * A module as it is on disk now.
   *
   * @throws what reading the file fails with
   */
  load(module: CodeModule): Promise<SourceModule> {
    return this.#outlines.load(module);
  }

  /**
   * What is in modules now, without their texts. Files that cannot be read are left out.
   *
   * @throws the signal's reason when it aborts
   */
  async outlines(modules: readonly CodeModule[], signal?: AbortSignal): Promise<ReadonlyMap<CodeModule, Outline>> {
    if (modules.length === 0) return new Map();
    const paths = new Set(modules.map(({ path }) => path));
    const stamps = await this.#root.stamps({ pattern: PROJECT_FILES, stamped: (path) => paths.has(path), signal });
    return this.#outlines.outlines(modules, stamps, signal);
  }
}

function isManifest(path: string): boolean {
  return /(?:^|\/)(?:package\.json|pnpm-workspace\.yaml)$/.test(path);
}

/** True when there are the same files, and what says which packages there are did not change. */
function same(a: ReadonlyMap<string, string>, b: ReadonlyMap<string, string>): boolean {
  return a.size === b.size && [...a].every(([path, stamp]) => b.get(path) === stamp);
}
