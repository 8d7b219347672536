import type { ToolContext } from '@bae/core';
import { readIfPossible } from '../errors.ts';
import { findPackages } from '@bae/project';
import type { GrepResult, GrepRow, WorkspaceRoot } from '@bae/workspace';
import { Languages } from '../language/languages.ts';
import type { LanguageReader, Outline, SourceText } from '../language/outline.ts';
import type { OnProgress, SourceOptions } from '../provide-source.ts';
import { CodeCatalog, type CodeModule, type SourceModule } from './code-catalog.ts';

/** A file before and after a change. */
export interface ProposedChange {
  /** Path relative to the root, with links resolved. */
  readonly path: string;
  readonly before: string | undefined;
  readonly after: string;
}

/** A problem that a change would introduce. */
export interface IntroducedProblem {
  readonly path: string;
  readonly line: number;
  readonly message: string;
}

/** The result of checking a change. */
export type ChangeVerdict =
  | {
      readonly type: 'checked';
      readonly problems: readonly IntroducedProblem[];
      /** Problems of the changed lines that were there before. */
      readonly kept: readonly IntroducedProblem[];
      /** Number of other modules that were not checked for lack of time. */
      readonly unchecked: number;
      /** Version of TypeScript: the one that the project has installed, if it can be used. */
      readonly version: string;
    }
  /** No settings apply to the changed files. */
  | { readonly type: 'untyped' }
  | {
      readonly type: 'unknown';
      /** The reason, as a clause. */
      readonly reason: string;
    };

/**
 * Finds the problems that changes would introduce; `renamed` is the renaming that they make, if any. Contract: writes
 * nothing, and ends within a time limit.
 */
export type CheckChange = (
  changes: readonly ProposedChange[],
  context: Pick<ToolContext, 'signal' | 'session'>,
  renamed?: { readonly from: string; readonly to: string },
) => Promise<ChangeVerdict>;

/** The result of a search, with its first lines by module. */
export interface ModuleMatches extends Pick<GrepResult, 'all' | 'matches' | 'files'> {
  readonly groups: ReadonlyMap<CodeModule, readonly GrepRow[]>;
}

/** The project during one call: its modules are listed once, when they are first needed. */
export class CodeBase {
  readonly root: WorkspaceRoot;
  readonly index: ModuleIndex;
  /** Checks changes; without it, changes are not checked. */
  readonly check: CheckChange | undefined;
  #catalog: Promise<CodeCatalog> | undefined;
  #inner: CodeBase | undefined;
  /** Modules by the expression that they have a line for. */
  #searched = new Map<string, Promise<readonly CodeModule[]>>();

  constructor(root: WorkspaceRoot, index: ModuleIndex, check?: CheckChange) {
    this.root = root;
    this.index = index;
    this.check = check;
  }

  catalog(): Promise<CodeCatalog> {
    return (this.#catalog ??= this.index.catalog());
  }

  /** The same project with what is inside of functions. */
  get inner(): CodeBase {
    if (this.index.isInner) return this;
    this.#inner ??= new CodeBase(this.root, this.index.inner, this.check);
    this.#inner.#catalog = this.catalog();
    this.#inner.#searched = this.#searched;
    return this.#inner;
  }

  /**
   * Finds the modules that have a line for one of our expressions: those of code, or those that only declare types. A
   * lookup asks several times for the same ones, also for what is inside of functions, and they are searched for once.
   */
  findModulesWith(pattern: string, declares: boolean): Promise<readonly CodeModule[]> {
    const key = `${declares} ${pattern}`;
    const known = this.#searched.get(key) ?? this.#searchModules(pattern, declares);
    this.#searched.set(key, known);
    return known;
  }

  async #searchModules(pattern: string, declares: boolean): Promise<readonly CodeModule[]> {
    const modules = (await this.catalog()).modules.filter((one) => one.declares === declares);
    const found = new Set((await this.grep(modules, { pattern, limit: 0 })).files.map(({ path }) => path));
    return modules.filter(({ path }) => found.has(path));
  }

  /** Searches modules with a regular expression: one of our own, unless the query says otherwise. */
  async grep(modules: readonly CodeModule[], query: Parameters<WorkspaceRoot['grep']>[0]): Promise<ModuleMatches> {
    if (modules.length === 0) return { groups: new Map(), all: [], matches: 0, files: [] };
    const byPath = new Map(modules.map((module) => [module.path, module]));
    const path = findCommonFolder([...byPath.keys()]);
    const only = (file: string) => byPath.has(file);
    const result = await this.root.grep({ isOwn: true, ...query, path, only, all: true });
    return { ...result, groups: Map.groupBy(result.rows, (row) => byPath.get(row.path) as CodeModule) };
  }
}

/** Returns the deepest folder that contains all files, or the file itself if it is the only one; `.` for the root. */
function findCommonFolder([first = '', ...others]: readonly string[]): string {
  if (others.length === 0) return first;
  let common = first.split('/').slice(0, -1);
  for (const path of others) {
    const parts = path.split('/').slice(0, -1);
    const end = common.findIndex((part, index) => part !== parts[index]);
    if (end !== -1) common = common.slice(0, end);
  }
  return common.length === 0 ? '.' : common.join('/');
}

const MANIFEST = /(?:^|\/)(?:package\.json|pnpm-workspace\.yaml|lerna\.json)$/;
const LARGEST = 2_000_000;
/** Number of files that are read at the same time; other work runs while they are read. */
const AT_ONCE = 8;

interface Snapshot {
  /** Paths of all files; those of manifests have their stamps as values. */
  readonly files: ReadonlyMap<string, string>;
  readonly catalog: CodeCatalog;
}

interface CachedOutline {
  readonly hash: string;
  /** Stamp of the file when it had this content. */
  readonly stamp: string | undefined;
  readonly outline: Outline;
}

/**
 * The modules of a project as they exist on disk during a call: names are derived from the existing files, contents are
 * read when they are needed, and only outlines are kept until the content changes.
 */
export class ModuleIndex {
  readonly languages: Languages;
  readonly #root: WorkspaceRoot;
  readonly #onProgress: OnProgress;
  /** File pattern of all modules and of the manifests that define packages. */
  readonly #pattern: string;
  readonly #options: Pick<SourceOptions, 'onProgress' | 'languages'>;
  readonly #outlines = new Map<string, CachedOutline>();
  #snapshot: Snapshot | undefined;
  #inner: ModuleIndex | undefined;
  /** True if the outlines have what is inside of functions. */
  readonly isInner: boolean;

  constructor(root: WorkspaceRoot, options: Pick<SourceOptions, 'onProgress' | 'languages'> = {}, outer?: ModuleIndex) {
    this.#root = root;
    this.#options = options;
    this.#onProgress = options.onProgress ?? (() => undefined);
    this.isInner = outer !== undefined;
    this.languages = outer?.languages ?? new Languages(options.languages);
    this.#pattern = `**/{package.json,pnpm-workspace.yaml,lerna.json,*.{${this.languages.endings.join(',')}}}`;
  }

  /** The same modules with what is inside of functions; few of them are ever read. */
  get inner(): ModuleIndex {
    return (this.#inner ??= new ModuleIndex(this.#root, this.#options, this));
  }

  async catalog(): Promise<CodeCatalog> {
    const files = await this.#root.stamps({ pattern: this.#pattern, stamped: (path) => MANIFEST.test(path) });
    const known = this.#snapshot?.files;
    // The catalog is reused while the files, and the manifests that define packages, are the same.
    if (known?.size !== files.size || ![...known].every(([path, stamp]) => files.get(path) === stamp)) {
      for (const { path, outlines } of this.#listCached()) if (!files.has(path)) outlines.delete(path);
      const paths = [...files.keys()];
      this.#snapshot = {
        files,
        catalog: new CodeCatalog(paths, {
          packages: await findPackages(this.#root, paths),
          languages: this.languages,
          root: this.#root.folder,
        }),
      };
    }
    return (this.#snapshot as Snapshot).catalog;
  }

  #listCached() {
    const all = [this.#outlines, ...(this.#inner === undefined ? [] : [this.#inner.#outlines])];
    return all.flatMap((outlines) => Array.from(outlines.keys(), (path) => ({ path, outlines })));
  }

  /** Loads the current version of a module from disk; `stamp` is that of its file, from before the call. */
  async load(module: CodeModule, stamp?: string): Promise<SourceModule> {
    const { path } = module;
    const { text, hash, lines } = await this.#root.readText(path);
    const cached = this.#outlines.get(path);
    const known = cached?.hash === hash ? cached : undefined;
    const outline =
      known?.outline ?? readModuleOutline(await this.languages.readerOf(path), { text, path, inner: this.isInner });
    this.#outlines.set(path, { hash, outline, stamp: stamp ?? known?.stamp });
    return { module, text, hash, lines, outline, inner: this.isInner };
  }

  /** Returns the current outlines of modules, in the same order. Files that cannot be read are left out. */
  async outlines(modules: readonly CodeModule[], signal?: AbortSignal): Promise<ReadonlyMap<CodeModule, Outline>> {
    if (modules.length === 0) return new Map();
    const paths = new Set(modules.map(({ path }) => path));
    const stamps = await this.#root.stamps({ pattern: this.#pattern, stamped: (path) => paths.has(path), signal });
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
      // Also after an abort: workers that are still running then report nothing.
      done = total;
      this.#onProgress(total, total);
    }
    return new Map(modules.flatMap((module) => (found.has(module) ? [[module, found.get(module) as Outline]] : [])));
  }

  async #outline(module: CodeModule, stamp: string | undefined): Promise<Outline | undefined> {
    const cached = this.#outlines.get(module.path);
    if (cached !== undefined && stamp !== undefined && cached.stamp === stamp) return cached.outline;
    return (await readIfPossible(this.load(module, stamp)))?.outline;
  }
}

function readModuleOutline(language: LanguageReader, source: SourceText): Outline {
  const { text } = source;
  if (text.length <= LARGEST) return language.outline(source);
  const message = `it is too large to look into (${text.length} characters; at most ${LARGEST})`;
  return { doc: '', symbols: [], stars: [], problem: { message, line: 1, column: 1 } };
}
