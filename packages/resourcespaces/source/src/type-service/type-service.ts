import type { SymbolPlace, CompilerSession, TypeQuery } from './compiler-session.ts';
import {
  findDiagnostics,
  findIntroduced,
  type DiagnosticReport,
  type DiagnosticRequest,
  type IntroducedReport,
  type IntroducedRequest,
} from './find-diagnostics.ts';
import { findReferences, type Reference } from './find-references.ts';
import type { ModuleFiles } from './module-files.ts';
import { planSymbolRename, type RenamePlan, type RenameRequest } from './plan-rename.ts';
import { TypeServiceError, waitUnlessAborted } from './language-protocol.ts';

/**
 * Queries about types in a project. The compiler is a process of its own: the first query loads and starts it, a query
 * after it ended starts it again, and disposing of this ends it. Every query sees what is on disk at that moment.
 *
 * Queries run one after the other. Files are absolute paths, offsets count UTF-16 units. Every query throws a
 * TypeServiceError when the compiler fails, and the signal's reason when that aborts.
 */
export class TypeService implements AsyncDisposable {
  readonly files: ModuleFiles;
  readonly #limitMs: number;
  readonly #closing = new AbortController();
  #session: CompilerSession | undefined;
  #last: Promise<unknown> = Promise.resolve();

  /** @param limitMs longest time of one query, in milliseconds */
  constructor(files: ModuleFiles, limitMs = 100_000) {
    this.files = files;
    this.#limitMs = limitMs;
  }

  /** Undefined while no compiler runs. */
  get pid(): number | undefined {
    return this.#session?.server.pid;
  }

  /** The type and syntax errors of files, or of all sources. */
  diagnostics(request: DiagnosticRequest = {}, signal?: AbortSignal): Promise<DiagnosticReport> {
    return this.#enqueue((query) => findDiagnostics(query, request), signal);
  }

  /** The errors that changes would introduce and fix, before anything is written. */
  introduced(request: IntroducedRequest, signal?: AbortSignal): Promise<IntroducedReport> {
    return this.#enqueue((query) => findIntroduced(query, request), signal);
  }

  /** Everywhere that the symbol at a place is named; empty when there is no symbol. */
  references(place: SymbolPlace, signal?: AbortSignal): Promise<readonly Reference[]> {
    return this.#enqueue((query) => findReferences(query, place), signal);
  }

  /** The edits that rename the symbol at a place. */
  renameEdits(request: RenameRequest, signal?: AbortSignal): Promise<RenamePlan> {
    return this.#enqueue((query) => planSymbolRename(query, request), signal);
  }

  /** Ends the compiler; pending queries fail. */
  async [Symbol.asyncDispose](): Promise<void> {
    this.#closing.abort(new TypeServiceError('closed', 'the type service was closed'));
    await this.#last;
    await this.#end();
  }

  #enqueue<T>(work: (query: TypeQuery) => Promise<T>, signal = this.#closing.signal): Promise<T> {
    const stop = AbortSignal.any([this.#closing.signal, signal]);
    const result = this.#last.then(() => {
      stop.throwIfAborted();
      return this.#attempt(work, stop);
    });
    this.#last = result.catch(() => undefined);
    return waitUnlessAborted(result, stop);
  }

  /** Tries a second time when the compiler ended meanwhile: a query changes nothing. */
  async #attempt<T>(work: (query: TypeQuery) => Promise<T>, stop: AbortSignal): Promise<T> {
    const limit = AbortSignal.timeout(this.#limitMs);
    const signal = AbortSignal.any([stop, limit]);
    for (let attempt = 1; ; attempt++) {
      try {
        return await work({ session: await this.#start(signal), files: this.files, signal });
      } catch (error) {
        stop.throwIfAborted();
        const isDead = limit.aborted || this.#session?.server.isRunning !== true;
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

  /** The compiler as it sees the files now: it does not watch the disk. */
  async #start(signal: AbortSignal): Promise<CompilerSession> {
    const { changes, isInstalled } = await this.files.findChanges(signal);
    // Installed packages have too many files to list.
    if (isInstalled || this.#session?.server.isRunning !== true) await this.#end();
    const { CompilerSession: Session } = await import('./compiler-session.ts');
    this.#session ??= await Session.start(this.files.folder, signal);
    this.#session.refresh(changes);
    return this.#session;
  }

  async #end(): Promise<void> {
    const session = this.#session;
    this.#session = undefined;
    await session?.server[Symbol.asyncDispose]();
  }
}
