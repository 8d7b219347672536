import { join, relative } from 'node:path';
import { BaeError } from '@bae/core';
import { escapePattern, type WorkspaceRoot } from '@bae/workspace';
import type { ModuleIndex } from '../modules/module-index.ts';

/** The modules of a project by absolute path, for the type service. */
export class ModuleFiles {
  readonly #root: WorkspaceRoot;
  readonly #index: ModuleIndex;

  constructor(root: WorkspaceRoot, index: ModuleIndex) {
    this.#root = root;
    this.#index = index;
  }

  /** Absolute path of the project. */
  get folder(): string {
    return this.#root.folder;
  }

  /** Absolute path of a file. */
  fileOf(path: string): string {
    return join(this.#root.folder, path);
  }

  /** Path of a file below the root, with slashes. */
  pathOf(file: string): string {
    return relative(this.#root.folder, file).replaceAll('\\', '/');
  }

  /** The text of a file as it is on disk; undefined when it is missing or cannot be read as text. */
  async read(file: string): Promise<string | undefined> {
    try {
      return (await this.#root.readText(this.pathOf(file))).text;
    } catch (error) {
      if (BaeError.is(error)) return undefined;
      throw error;
    }
  }

  /** Every module; nothing that is built or installed. */
  async sources(): Promise<readonly string[]> {
    return (await this.#index.catalog()).modules.map(({ path }) => this.fileOf(path));
  }

  /** The modules whose text contains a word. */
  async mentioning(word: string, signal: AbortSignal): Promise<readonly string[]> {
    const paths = new Set((await this.#index.catalog()).modules.map(({ path }) => path));
    const only = (path: string) => paths.has(path);
    // A renaming must not miss one.
    const limit = Number.MAX_SAFE_INTEGER;
    const { rows } = await this.#root.grep({ pattern: escapePattern(word), only, limit, all: true, signal });
    return [...new Set(rows.map(({ path }) => path))].map((path) => this.fileOf(path));
  }
}
