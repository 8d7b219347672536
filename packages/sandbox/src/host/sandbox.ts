import { RunError, type CodeRunner, type RunOptions, type RunOutcome } from '@bae/core';
import { renderError } from '@bae/core/pipeline';
import { resolveLimits, type SandboxLimits, type SandboxOptions } from './limits.ts';
import { Session } from './session.ts';
import { ThreadPool } from './thread.ts';

/** Characters of the code of one block: parsing several times as many takes more memory than a thread may have. */
const MOST_CODE = 150_000;

/**
 * Runs TypeScript that a model wrote, in an engine of its own that can do nothing but make calls.
 *
 * Blocks of one session share their variables and run one after the other; sessions share nothing.
 */
export class Sandbox implements CodeRunner, AsyncDisposable {
  readonly #limits: SandboxLimits;
  readonly #threads: ThreadPool;
  readonly #sessions = new Map<string, Session>();
  /** Sessions of a single block, while it runs. */
  readonly #unnamed = new Set<Session>();
  #isClosed = false;

  /** @throws ConfigurationError when a limit is out of range */
  constructor(options: SandboxOptions = {}) {
    this.#limits = resolveLimits(options);
    this.#threads = new ThreadPool(this.#limits);
  }

  /** Runs a block. Never throws: failure is an outcome. A block without a session has its own variables. */
  async run(code: string, options: RunOptions): Promise<RunOutcome> {
    if (this.#isClosed) return { ok: false, output: 'RunError: the sandbox is closed.', errorType: 'RunError' };
    // Refused on this side: a thread that runs out of memory while parsing can end the process.
    if (code.length > MOST_CODE) return refuseLongCode(code);
    if (options.session !== undefined) return this.#openSession(options.session).run(code, options);
    const session = new Session(this.#threads, this.#limits);
    this.#unnamed.add(session);
    try {
      return await session.run(code, options);
    } finally {
      this.#unnamed.delete(session);
      await session.close();
    }
  }

  /** Loads the engine, so that the first block need not. @throws Error when that fails */
  warm(): Promise<void> {
    return this.#threads.warm();
  }

  /** Closes a session: its variables are lost, and a running block is ended. */
  async forget(session: string): Promise<void> {
    const open = this.#sessions.get(session);
    this.#sessions.delete(session);
    await open?.close();
  }

  /** Ends everything; running blocks fail. Can be called again. */
  async dispose(): Promise<void> {
    this.#isClosed = true;
    const named = [...this.#sessions.keys()].map((session) => this.forget(session));
    await Promise.all([...named, ...Array.from(this.#unnamed, (session) => session.close())]);
    await this.#threads.close();
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.dispose();
  }

  #openSession(name: string): Session {
    const session = this.#sessions.get(name) ?? new Session(this.#threads, this.#limits);
    this.#sessions.set(name, session);
    return session;
  }
}

function refuseLongCode({ length }: string): RunOutcome {
  const text = `the code has ${length} characters; a run block takes at most ${MOST_CODE}.`;
  const error = renderError(new RunError(text, ['write long data to a file, and read it in the code']));
  return { ok: false, output: error.text, errorType: error.errorType };
}
