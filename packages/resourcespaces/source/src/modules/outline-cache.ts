import { BaeError } from '@bae/core';
import type { WorkspaceRoot } from '@bae/workspace';
import type { Language, Outline } from '../language/outline.ts';
import type { CodeModule } from './code-module.ts';
import type { SourceModule } from './source-module.ts';

/** Characters of the longest text that is looked into. */
const LARGEST = 2_000_000;
/** Files that are read at the same time; others get their turn whenever one is waited for. */
const AT_ONCE = 8;

/** Hears how many modules were looked into, and of how many in all; the last time both are the same. */
export type OnProgress = (done: number, total: number) => void;

interface Known {
  /** Of the content that the outline is of. */
  readonly hash: string;
  /** That of the file when it had this content. */
  readonly stamp: string | undefined;
  readonly outline: Outline;
}

/** Outlines of modules, worked out when they are first needed and again when the content is another one. */
export class OutlineCache {
  readonly #root: WorkspaceRoot;
  readonly #known = new Map<string, Known>();
  readonly #onProgress: OnProgress;
  #language: Promise<Language> | undefined;

  constructor(root: WorkspaceRoot, onProgress: OnProgress = () => undefined) {
    this.#root = root;
    this.#onProgress = onProgress;
  }

  /** How to read a language; loaded when it is first needed. */
  get language(): Promise<Language> {
    return (this.#language ??= import('../language/typescript-outline.ts').then((loaded) => loaded.typescriptOutline));
  }

  /**
   * A module as it is on disk now.
   *
   * @param stamp that its file had before; with it, the outline need not be worked out again
   * @throws what reading the file fails with
   */
  async load(module: CodeModule, stamp?: string): Promise<SourceModule> {
    const { path } = module;
    const { text, hash, lines } = await this.#root.readText(path);
    const known = this.#known.get(path);
    const outline = known?.hash === hash ? known.outline : outlineOf(await this.language, text, path);
    this.#known.set(path, { hash, outline, stamp: stamp ?? (known?.hash === hash ? known.stamp : undefined) });
    return { module, text, hash, lines, outline };
  }

  /**
   * What is in modules, in any number, without their texts. Those that cannot be read are left out.
   *
   * @param stamps of all files, by path
   */
  async outlines(
    modules: readonly CodeModule[],
    stamps: ReadonlyMap<string, string>,
    signal?: AbortSignal,
  ): Promise<ReadonlyMap<CodeModule, Outline>> {
    const found = new Map<CodeModule, Outline>();
    const pending = modules.values();
    const total = modules.length;
    let done = 0;
    const work = async (): Promise<void> => {
      for (const module of pending) {
        signal?.throwIfAborted();
        const outline = await this.#outline(module, stamps.get(module.path));
        if (outline !== undefined) found.set(module, outline);
        if (++done < total) this.#onProgress(done, total);
      }
    };
    try {
      await Promise.all(Array.from({ length: AT_ONCE }, work));
    } finally {
      // Also when it was broken off: nobody is to wait for more.
      done = total;
      this.#onProgress(total, total);
    }
    // In the order asked for, whatever was read first.
    return new Map(modules.flatMap((module) => (found.has(module) ? [[module, found.get(module) as Outline]] : [])));
  }

  /** Forgets modules that are not there any more. */
  keepOnly(paths: ReadonlyMap<string, unknown>): void {
    for (const path of this.#known.keys()) if (!paths.has(path)) this.#known.delete(path);
  }

  async #outline(module: CodeModule, stamp: string | undefined): Promise<Outline | undefined> {
    const known = this.#known.get(module.path);
    if (known !== undefined && stamp !== undefined && known.stamp === stamp) return known.outline;
    try {
      return (await this.load(module, stamp)).outline;
    } catch (error) {
      // A secret, a binary file, one that is gone by now: whoever asks for it by name is told so.
      if (BaeError.is(error)) return undefined;
      throw error;
    }
  }
}

function outlineOf(language: Language, text: string, path: string): Outline {
  if (text.length <= LARGEST) return language.outline({ text, path });
  const message = `it is too large to look into (${text.length} characters; at most ${LARGEST})`;
  return { doc: '', symbols: [], stars: [], problem: { message, line: 1, column: 1 } };
}
