import { waitUnlessAborted } from '@bae/core';
import type { CompilerSession, SourceDiagnostic, TypeChecker, TypeQuery } from './compiler-session.ts';
import type { ErrorChanges } from './find-diagnostics.ts';
import { type ModuleFiles, TextCache } from './module-files.ts';
import { TypeServiceError } from './language-protocol.ts';
import { makeHiddenTexts } from './hidden-texts.ts';
import { findProjectLibrary, ProjectCompiler } from './project-compiler.ts';

/**
 * Queries about types in a project. The compiler is a separate process: the first query loads and starts it, a query
 * after it ended starts it again, and disposing of this object ends it. Every query sees the current content of the
 * disk.
 *
 * Queries run one after the other. Files are absolute paths, offsets count UTF-16 code units. Every query throws a
 * TypeServiceError when the compiler fails, and the signal's reason when that aborts.
 */
export class TypeService implements AsyncDisposable {
  readonly files: ModuleFiles;
  readonly #limitMs: number;
  readonly #closing = new AbortController();
  #session: CompilerSession | undefined;
  #checker: ProjectCompiler | undefined;
  /** The TypeScript library that the project has installed; undefined before the first check. */
  #library: ReturnType<typeof findProjectLibrary> | undefined;
  #last: Promise<unknown> = Promise.resolve();
  /** Whether the session introduced an error, by what identifies the error. */
  readonly #known = new Map<string, boolean>();
  /** What the compilers see of files whose content is shown only with consent. */
  #hidden: ReadonlyMap<string, string> = new Map();
  #secret = '';

  /** @param limitMs time limit of one query, in milliseconds */
  constructor(files: ModuleFiles, limitMs = 100_000) {
    this.files = files;
    this.#limitMs = limitMs;
  }

  /** Process id of the compiler; undefined while none runs. */
  get pid(): number | undefined {
    return this.#checker?.pid ?? this.#session?.pid;
  }

  /**
   * Remembers which errors a change of this session introduces, and which were there before it, also after their lines
   * were changed.
   *
   * @param isFirst true if the session has changed nothing before
   */
  remember({ introduced, kept, moved }: Omit<ErrorChanges, 'fixed'>, isFirst: boolean): void {
    const same = [...kept, ...moved].map(({ was, is }) => [is, isFirst ? false : this.isNew(was)] as const);
    for (const [error, isNew] of same) if (isNew !== undefined) this.#known.set(identifyError(error), isNew);
    for (const error of introduced) this.#known.set(identifyError(error), true);
  }

  /**
   * Tests whether a change of this session introduced an error; returns undefined when that is not known, because changes
   * were not checked.
   */
  isNew(diagnostic: SourceDiagnostic): boolean | undefined {
    return this.#known.get(identifyError(diagnostic));
  }

  /** Runs a query about the types of the project. */
  run<T>(query: (types: TypeQuery) => Promise<T>, signal?: AbortSignal): Promise<T> {
    return this.#queue({ start: (stop) => this.#startServer(stop), query, signal });
  }

  /**
   * Checks types as the project does: with the version of TypeScript that it has installed, if that is a known version.
   */
  check<T>(query: (types: TypeQuery<TypeChecker>) => Promise<T>, signal?: AbortSignal): Promise<T> {
    return this.#queue({ start: (stop) => this.#startChecker(stop), query, signal });
  }

  /** Ends the compiler; pending queries fail. */
  async [Symbol.asyncDispose](): Promise<void> {
    this.#closing.abort(new TypeServiceError('closed', 'the type service was closed'));
    await this.#last;
    await this.#end();
  }

  #queue<C extends Compiler, T>({ signal, ...work }: Work<C, T>): Promise<T> {
    const closing = this.#closing.signal;
    const stop = signal === undefined ? closing : AbortSignal.any([closing, signal]);
    const result = this.#last.then(() => {
      stop.throwIfAborted();
      return this.#attempt(work, stop);
    });
    this.#last = result.catch(() => undefined);
    return waitUnlessAborted(result, stop);
  }

  /** Runs a query, and retries it once if the compiler ended, since a query changes nothing. */
  async #attempt<C extends Compiler, T>({ start, query }: Work<C, T>, stop: AbortSignal): Promise<T> {
    const limit = AbortSignal.timeout(this.#limitMs);
    const signal = AbortSignal.any([stop, limit]);
    for (let attempt = 1; ; attempt++) {
      let session: C | undefined;
      try {
        session = await start(signal);
        const { version: installed } = (await this.#library) ?? {};
        return await query({ session, installed, files: this.files, texts: new TextCache(this.files), signal });
      } catch (error) {
        stop.throwIfAborted();
        const isDead = limit.aborted || session?.isRunning !== true;
        if (isDead) await this.#end();
        if (limit.aborted) {
          throw new TypeServiceError(
            'time',
            `the TypeScript compiler took longer than ${this.#limitMs / 1000} seconds`,
          );
        }
        if (!isDead || attempt > 1) throw error;
      }
    }
  }

  async #startServer(signal: AbortSignal): Promise<CompilerSession> {
    await this.#refresh(signal);
    if (this.#session?.isRunning === false) await this.#end();
    const { CompilerSession: Session } = await import('./compiler-session.ts');
    if (this.#session === undefined) {
      this.#session = await Session.start(this.files.folder, signal);
      this.#session.hide(this.#hidden);
    }
    return this.#session;
  }

  async #startChecker(signal: AbortSignal): Promise<Compiler> {
    await this.#refresh(signal);
    const { folder } = this.files;
    const { library } = (await (this.#library ??= findProjectLibrary(folder))) ?? {};
    if (library === undefined) return this.#startServer(signal);
    if (this.#checker?.isRunning === false) await this.#end();
    try {
      if (this.#checker === undefined) {
        this.#checker = await ProjectCompiler.start(library, folder, signal);
        this.#checker.hide(this.#hidden);
      }
      return this.#checker;
    } catch (error) {
      signal.throwIfAborted();
      if (!(error instanceof TypeServiceError)) throw error;
      // The text of the library is not the published one.
      this.#library = Promise.resolve({ version: library.version });
      return this.#startServer(signal);
    }
  }

  /** Makes the compilers see the current files, since they do not watch the disk. */
  async #refresh(signal: AbortSignal): Promise<void> {
    const { changes, isInstalled, secret } = await this.files.findChanges(signal);
    // Installed packages have too many files to list.
    if (isInstalled) {
      await this.#end();
      this.#library = undefined;
    }
    this.#session?.refresh(changes);
    this.#checker?.refresh(changes);
    const key = secret.join('\n');
    if (key === this.#secret) return;
    this.#secret = key;
    this.#hidden = makeHiddenTexts(secret);
    this.#session?.hide(this.#hidden);
    this.#checker?.hide(this.#hidden);
  }

  async #end(): Promise<void> {
    const all = [this.#session, this.#checker];
    this.#session = undefined;
    this.#checker = undefined;
    for (const compiler of all) await compiler?.[Symbol.asyncDispose]();
  }
}

/** Identifies an error without the number of its line, which may change. */
function identifyError({ file, code, message, lineText }: SourceDiagnostic): string {
  return [file, code, message, lineText].join('\0');
}

type Compiler = CompilerSession | ProjectCompiler;

interface Work<C extends Compiler, T> {
  readonly start: (signal: AbortSignal) => Promise<C>;
  readonly query: (types: TypeQuery<C>) => Promise<T>;
  readonly signal?: AbortSignal | undefined;
}
