import type { WorkspaceRoot } from '@bae/workspace';
import type { ModuleIndex } from '../modules/module-index.ts';
import type { TypeService } from '../type-service/type-service.ts';
import { FileWatch } from './file-watch.ts';
import { ModuleFiles } from './module-files.ts';

/** Longest time for one answer, in milliseconds. */
const LIMIT_MS = 100_000;

/**
 * What the types of a project say. The compiler is loaded and started by the first question, sees at every question
 * what is on disk at that moment, and ends with this.
 */
export class ModuleTypes implements AsyncDisposable {
  readonly files: ModuleFiles;
  readonly #root: WorkspaceRoot;
  readonly #watch: FileWatch;
  #service: Promise<TypeService> | undefined;

  constructor(root: WorkspaceRoot, index: ModuleIndex) {
    this.#root = root;
    this.files = new ModuleFiles(root, index);
    this.#watch = new FileWatch(root, (path) => this.files.fileOf(path));
  }

  /**
   * Asks the type service.
   *
   * @throws TypeServiceError when there can be no answer; the signal's reason
   */
  async ask<T>(question: (service: TypeService) => Promise<T>, signal: AbortSignal): Promise<T> {
    const { installed, ...changes } = await this.#watch.look(signal);
    // Packages that came or went are too many files to name.
    if (installed) await this[Symbol.asyncDispose]();
    const service = await (this.#service ??= this.#load());
    service.refresh(changes);
    return question(service);
  }

  /** Ends the compiler, if it was started. */
  async [Symbol.asyncDispose](): Promise<void> {
    const service = await this.#service;
    this.#service = undefined;
    await service?.[Symbol.asyncDispose]();
  }

  async #load(): Promise<TypeService> {
    const { TypeService: Service } = await import('../type-service/type-service.ts');
    return new Service({ folder: this.#root.folder, files: this.files, limitMs: LIMIT_MS });
  }
}
