import { BaeError } from '@bae/core';
import type { WorkspaceRoot } from '@bae/workspace';
import type { StaleFiles } from '../type-service/compiler-session.ts';

/** What types follow from: code and settings, also what was built of packages, which a search leaves out unless named. */
const LOOKED_AT = '{**/*,dist/*}.{ts,tsx,mts,cts,js,jsx,mjs,cjs,json}';
/** What package managers write when they have installed something. */
const INSTALLED = 'node_modules/{.modules.yaml,.package-lock.json,.yarn-integrity,.yarn-state.yml}';

/** What happened on disk between two looks. Absolute paths. */
export interface DiskChanges extends Required<StaleFiles> {
  /** True when packages were installed or removed. */
  readonly installed: boolean;
}

/** Finds out which files are not as they were at the last look: the compiler does not watch the disk. */
export class FileWatch {
  readonly #root: WorkspaceRoot;
  readonly #fileOf: (path: string) => string;
  #files: ReadonlyMap<string, string> | undefined;
  #installed: string | undefined;

  /** @param fileOf absolute path of a path below the root */
  constructor(root: WorkspaceRoot, fileOf: (path: string) => string) {
    this.#root = root;
    this.#fileOf = fileOf;
  }

  /** What changed since the last look; nothing at the first. */
  async look(signal: AbortSignal): Promise<DiskChanges> {
    const now = await this.#root.stamps({ pattern: LOOKED_AT, all: true, signal });
    const old = this.#files ?? now;
    const installed = await this.#marks(signal);
    const isOther = this.#installed !== undefined && this.#installed !== installed;
    this.#files = now;
    this.#installed = installed;
    return { ...this.#compare(old, now), installed: isOther };
  }

  async #marks(signal: AbortSignal): Promise<string> {
    try {
      return [...(await this.#root.stamps({ pattern: INSTALLED, all: true, signal }))].flat().join('\n');
    } catch (error) {
      // A link that leads out of the project: what is installed there is not looked at.
      if (BaeError.is(error)) return '';
      throw error;
    }
  }

  #compare(old: ReadonlyMap<string, string>, now: ReadonlyMap<string, string>): Required<StaleFiles> {
    const there = [...now.keys()];
    return {
      created: there.filter((path) => !old.has(path)).map(this.#fileOf),
      changed: there.filter((path) => old.has(path) && old.get(path) !== now.get(path)).map(this.#fileOf),
      deleted: [...old.keys()].filter((path) => !now.has(path)).map(this.#fileOf),
    };
  }
}
