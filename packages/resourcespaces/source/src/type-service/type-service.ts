import { CompilerSession, type StaleFiles } from './compiler-session.ts';
import { findDiagnostics, type DiagnosticQuery, type DiagnosticReport } from './find-diagnostics.ts';
import { findIntroduced, type IntroducedQuery, type IntroducedReport } from './find-introduced.ts';
import { findReferences, type Reference } from './find-references.ts';
import type { SymbolPlace } from './find-symbol.ts';
import { planRename, type RenamePlan, type RenameQuery } from './plan-rename.ts';
import type { Question } from './question.ts';
import { RpcError } from './rpc-connection.ts';
import { TypeServiceError } from './type-service-error.ts';
import { untilAborted } from './until-aborted.ts';
import type { WorkspaceFiles } from './workspace-files.ts';

/** What a type service needs. */
export interface TypeServiceOptions {
  /** Absolute path of the workspace. */
  readonly folder: string;
  readonly files: WorkspaceFiles;
  /** Longest time for one answer, in milliseconds. Default: 60,000. */
  readonly limitMs?: number;
}

const LIMIT_MS = 60_000;

/**
 * Answers questions about types in a workspace. The compiler is a process of its own: it is started by the first
 * question, started anew when it died, and ended when this is disposed.
 *
 * Questions are answered one after the other. Files are absolute paths, offsets count UTF-16 units. Every method
 * throws a TypeServiceError when there can be no answer, and the signal's reason when that fires.
 */
export class TypeService implements AsyncDisposable {
  readonly #options: TypeServiceOptions;
  readonly #stale: StaleFiles[] = [];
  readonly #closing = new AbortController();
  #session: CompilerSession | undefined;
  #last: Promise<unknown> = Promise.resolve();

  constructor(options: TypeServiceOptions) {
    this.#options = options;
  }

  /** Number of the compiler's process; undefined while there is none. */
  get pid(): number | undefined {
    return this.#session?.pid;
  }

  /** The type and syntax errors of files, or of all sources. */
  diagnostics(query: DiagnosticQuery = {}, signal?: AbortSignal): Promise<DiagnosticReport> {
    return this.#answer((question) => findDiagnostics(question, query), signal);
  }

  /** The errors that changes would bring, and those they would mend, before anything is written. */
  introduced(query: IntroducedQuery, signal?: AbortSignal): Promise<IntroducedReport> {
    return this.#answer((question) => findIntroduced(question, query), signal);
  }

  /** Everywhere that the symbol at a place is named; nothing when no symbol is there. */
  references(place: SymbolPlace, signal?: AbortSignal): Promise<readonly Reference[]> {
    return this.#answer((question) => findReferences(question, place), signal);
  }

  /** What to change to call the symbol at a place something else. */
  renameEdits(query: RenameQuery, signal?: AbortSignal): Promise<RenamePlan> {
    return this.#answer((question) => planRename(question, query), signal);
  }

  /**
   * Tells which files are not as they were: the compiler does not watch the disk. To be called before the next
   * question; settings such as tsconfig.json and package.json count as files.
   */
  refresh(files: StaleFiles): void {
    if (this.#session !== undefined) this.#stale.push(files);
  }

  /** Ends the compiler; questions that wait fail. */
  async [Symbol.asyncDispose](): Promise<void> {
    this.#closing.abort(new TypeServiceError('closed', 'the type service was closed'));
    await this.#last;
    await this.#end();
  }

  #answer<T>(work: (question: Question) => Promise<T>, signal?: AbortSignal): Promise<T> {
    const stop = AbortSignal.any([this.#closing.signal, ...(signal === undefined ? [] : [signal])]);
    const before = this.#last;
    const answer = (async () => {
      await before;
      stop.throwIfAborted();
      return await this.#attempt(work, stop);
    })();
    this.#last = answer.catch(() => undefined);
    return untilAborted(answer, stop);
  }

  /** Tries a second time when the compiler died meanwhile: a question changes nothing. */
  async #attempt<T>(work: (question: Question) => Promise<T>, stop: AbortSignal): Promise<T> {
    const limit = AbortSignal.timeout(this.#options.limitMs ?? LIMIT_MS);
    const signal = AbortSignal.any([stop, limit]);
    for (let attempt = 1; ; attempt++) {
      try {
        return await work({ session: await this.#start(signal), files: this.#options.files, signal });
      } catch (error) {
        stop.throwIfAborted();
        const dead = limit.aborted || this.#session?.alive !== true;
        if (dead) await this.#end();
        if (limit.aborted) throw tooLong(this.#options.limitMs ?? LIMIT_MS);
        if (error instanceof RpcError) throw new TypeServiceError('refused', error.message, { cause: error });
        if (!dead || attempt > 1 || isMissing(error)) throw error;
      }
    }
  }

  async #start(signal: AbortSignal): Promise<CompilerSession> {
    if (this.#session?.alive !== true) {
      await this.#end();
      this.#session = await CompilerSession.start(this.#options.folder, signal);
    }
    for (const files of this.#stale.splice(0)) this.#session.refresh(files);
    return this.#session;
  }

  async #end(): Promise<void> {
    const session = this.#session;
    this.#session = undefined;
    this.#stale.length = 0;
    await session?.[Symbol.asyncDispose]();
  }
}

function isMissing(error: unknown): boolean {
  return error instanceof TypeServiceError && error.problem === 'not-installed';
}

function tooLong(milliseconds: number): TypeServiceError {
  return new TypeServiceError('time', `the TypeScript compiler took longer than ${milliseconds / 1000} seconds`);
}
