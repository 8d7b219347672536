import { BaeError, ResourceError } from '@bae/core';
import { EditError, type WorkspaceRoot } from '@bae/workspace';
import { addressOf, symbolName, type SymbolTarget } from '../address/target.ts';
import type { Declaration, Span, SymbolOutline } from '../language/outline.ts';
import type { ModuleIndex } from '../modules/module-index.ts';
import type { StaleFiles } from '../type-service/compiler-session.ts';
import { findOccurrences } from '../type-service/identifier-name.ts';
import { ModuleFiles } from '../type-service/module-files.ts';
import type { TypeService } from '../type-service/type-service.ts';
import { TypeServiceError } from '../type-service/type-service-error.ts';

/**
 * The type service of a project. The compiler is loaded and started by the first query, sees in every query what is on
 * disk at that moment, and ends with this.
 */
export class ModuleTypes implements AsyncDisposable {
  readonly files: ModuleFiles;
  readonly #watch: FileWatch;
  #service: Promise<TypeService> | undefined;

  constructor(root: WorkspaceRoot, index: ModuleIndex) {
    this.files = new ModuleFiles(root, index);
    this.#watch = new FileWatch(root, (path) => this.files.fileOf(path));
  }

  /**
   * Queries the type service.
   *
   * @throws TypeServiceError when it cannot answer; the signal's reason
   */
  async ask<T>(query: (service: TypeService) => Promise<T>, signal: AbortSignal): Promise<T> {
    const { isInstalled, ...changes } = await this.#watch.look(signal);
    // Installed packages have too many files to list.
    if (isInstalled) await this[Symbol.asyncDispose]();
    const service = await (this.#service ??= this.#load());
    service.refresh(changes);
    return query(service);
  }

  /** Ends the compiler, if it was started. */
  async [Symbol.asyncDispose](): Promise<void> {
    const service = await this.#service;
    this.#service = undefined;
    await service?.[Symbol.asyncDispose]();
  }

  async #load(): Promise<TypeService> {
    const { TypeService: Service } = await import('../type-service/type-service.ts');
    return new Service(this.files);
  }
}

/** Code and settings, and the build output of packages, which a search leaves out unless it is named. */
const WATCHED = '{**/*,dist/*}.{ts,tsx,mts,cts,js,jsx,mjs,cjs,json}';
/** The files that package managers write after an installation. */
const INSTALLED = 'node_modules/{.modules.yaml,.package-lock.json,.yarn-integrity,.yarn-state.yml}';

/** What changed on disk between two looks. Absolute paths. */
interface DiskChanges extends Required<StaleFiles> {
  /** True when packages were installed or removed. */
  readonly isInstalled: boolean;
}

/** Finds the files that changed since the last look: the compiler does not watch the disk. */
class FileWatch {
  readonly #root: WorkspaceRoot;
  readonly #fileOf: (path: string) => string;
  #files: ReadonlyMap<string, string> | undefined;
  #installed: string | undefined;

  constructor(root: WorkspaceRoot, fileOf: (path: string) => string) {
    this.#root = root;
    this.#fileOf = fileOf;
  }

  /** What changed since the last look; nothing at the first. */
  async look(signal: AbortSignal): Promise<DiskChanges> {
    const now = await this.#root.stamps({ pattern: WATCHED, all: true, signal });
    const old = this.#files ?? now;
    const installed = await this.#installation(signal);
    const isInstalled = this.#installed !== undefined && this.#installed !== installed;
    this.#files = now;
    this.#installed = installed;
    const paths = [...now.keys()];
    return {
      created: paths.filter((path) => !old.has(path)).map(this.#fileOf),
      changed: paths.filter((path) => old.has(path) && old.get(path) !== now.get(path)).map(this.#fileOf),
      deleted: [...old.keys()].filter((path) => !now.has(path)).map(this.#fileOf),
      isInstalled,
    };
  }

  async #installation(signal: AbortSignal): Promise<string> {
    try {
      return [...(await this.#root.stamps({ pattern: INSTALLED, all: true, signal }))].flat().join('\n');
    } catch (error) {
      // A link that leads out of the project: installations there are not watched.
      if (BaeError.is(error)) return '';
      throw error;
    }
  }
}

/**
 * Waits for a query about types.
 *
 * @param next a tag to try when the query fails
 * @throws ResourceError when the type service failed, with its reason; else what the query fails with
 */
export async function answerAboutTypes<T>(result: Promise<T>, next: string): Promise<T> {
  try {
    return await result;
  } catch (error) {
    if (!(error instanceof TypeServiceError)) throw error;
    throw new ResourceError(`nothing is known of types: ${error.message}.`, [next], error);
  }
}

/**
 * The offset of the name of a symbol in its module, in UTF-16, at which the compiler is asked about it.
 *
 * @throws EditError when it has no name of its own there
 */
export function symbolOffset(target: SymbolTarget): number {
  const { source, path } = target;
  const { name, kind, localName, declarations } = path.at(-1) as SymbolOutline;
  const { head, doc, start, end } = declarations[0] as Declaration;
  const inHead = findName(localName ?? name, source.text, head);
  const offset = inHead ?? findName(name, source.text, { start: doc?.end ?? start, end });
  if (offset !== undefined && kind !== 'imports') return offset;
  throw new EditError(
    `${symbolName(path)} in ${source.module.name} has no name that the compiler knows. Search for its text instead.`,
    [`<R:${addressOf(target)}>`],
  );
}

function findName(name: string, text: string, { start, end }: Span): number | undefined {
  if (!/^#?[\p{ID_Start}$_][\p{ID_Continue}$]*$/u.test(name)) return undefined;
  const [first] = findOccurrences(name, text.slice(start, end));
  return first === undefined ? undefined : start + first;
}
