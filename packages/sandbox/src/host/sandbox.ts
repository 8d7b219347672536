import { RunError, type CodeRunner, type RunOptions, type RunOutcome } from '@bae/core';
import { renderError } from '@bae/core/pipeline';
import { describeCancel } from '../hints/describe-end.ts';
import { Block } from './block.ts';
import { CalleeTable } from './callee-table.ts';
import { resolveLimits, ThreadPool, type SandboxLimits, type SandboxOptions, type Thread } from './thread.ts';

/**
 * Maximum length of the code of one block, in characters: parsing several times as many takes more memory than a thread
 * may have.
 */
const MOST_CODE = 150_000;

/**
 * Runs TypeScript that a model wrote, in a separate engine that can do nothing but make calls. Blocks of one session
 * share their variables and run one after another; sessions share nothing.
 */
export class Sandbox implements CodeRunner, AsyncDisposable {
  readonly #limits: SandboxLimits;
  readonly #threads: ThreadPool;
  /** Open sessions, by name; a block without a session gets its own. */
  readonly #sessions = new Map<string | symbol, Session>();
  #isClosed = false;

  /** @throws ConfigurationError if a limit is out of range */
  constructor(options: SandboxOptions = {}) {
    this.#limits = resolveLimits(options);
    this.#threads = new ThreadPool(this.#limits);
  }

  /** Runs a block. Never throws: failure is an outcome. A block without a session has its own variables. */
  async run(code: string, options: RunOptions): Promise<RunOutcome> {
    if (this.#isClosed) return { ok: false, output: 'RunError: the sandbox is closed.', errorType: 'RunError' };
    // Refused on the host's side: a thread that runs out of memory while parsing can end the process.
    if (code.length > MOST_CODE) return refuseLongCode(code);
    const name = options.session ?? Symbol('unnamed');
    const session = this.#sessions.get(name) ?? new Session(this.#threads, this.#limits);
    this.#sessions.set(name, session);
    try {
      return await session.run(code, options);
    } finally {
      if (options.session === undefined) await this.forget(name);
    }
  }

  /** Loads the engine in advance, so that the first block does not have to. @throws Error if that fails */
  warm(): Promise<void> {
    return this.#threads.warm();
  }

  /** Closes a session: its variables are lost, and a running block is stopped. */
  async forget(session: string | symbol): Promise<void> {
    const closed = this.#sessions.get(session);
    this.#sessions.delete(session);
    await closed?.close();
    // No other session may follow, and a caller that has closed all of its sessions does not know of any thread to close.
    if (typeof session === 'string' && closed !== undefined && this.#sessions.size === 0) await this.#threads.drop();
  }

  /** Stops everything; running blocks fail. Can be called more than once. */
  async dispose(): Promise<void> {
    this.#isClosed = true;
    await Promise.all([...this.#sessions.keys()].map((name) => this.forget(name)));
    await this.#threads.close();
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.dispose();
  }
}

function refuseLongCode({ length }: string): RunOutcome {
  const text = `the code has ${length} characters; a run block takes at most ${MOST_CODE}.`;
  const error = renderError(new RunError(text, ['write long data to a file, and read it in the code']));
  return { ok: false, output: error.text, errorType: error.errorType };
}

const CANCELLED: RunOutcome = { ok: false, ...describeCancel() };

/** Blocks of one session: they run one after another, and share their variables. */
class Session {
  readonly #threads: ThreadPool;
  readonly #limits: SandboxLimits;
  #held: { readonly thread: Thread; readonly table: CalleeTable } | undefined;
  #previous: Promise<unknown> = Promise.resolve();
  #blockCount = 0;
  #isClosed = false;

  constructor(threads: ThreadPool, limits: SandboxLimits) {
    this.#threads = threads;
    this.#limits = limits;
  }

  /** Runs a block after the previous ones. A block that is cancelled before its turn does not begin. Never throws. */
  run(code: string, options: RunOptions): Promise<RunOutcome> {
    const { signal } = options;
    if (signal.aborted) return Promise.resolve(CANCELLED);
    const { promise, resolve } = Promise.withResolvers<RunOutcome>();
    const cancel = (): void => resolve(CANCELLED);
    signal.addEventListener('abort', cancel, { once: true });
    const runAfter = async (previous: Promise<unknown>): Promise<void> => {
      await previous;
      signal.removeEventListener('abort', cancel);
      resolve(await this.#run(code, options));
    };
    this.#previous = runAfter(this.#previous);
    return promise;
  }

  /** Ends the thread of the session; a running block ends with it. */
  async close(): Promise<void> {
    this.#isClosed = true;
    await this.#endThread();
  }

  async #run(code: string, options: RunOptions): Promise<RunOutcome> {
    if (this.#isClosed || options.signal.aborted) return CANCELLED;
    this.#held ??= { thread: this.#threads.take(), table: new CalleeTable() };
    const parts = { ...this.#held, limits: this.#limits, code, block: ++this.#blockCount, options };
    const { outcome, spent } = await new Block(parts).run();
    if (spent) void this.#endThread();
    // Deferred, so that the outcome need not wait for it.
    setImmediate(() => {
      if (!this.#isClosed) this.#threads.prepare();
    }).unref();
    return outcome;
  }

  async #endThread(): Promise<void> {
    const held = this.#held;
    this.#held = undefined;
    if (held !== undefined) await this.#threads.end(held.thread);
  }
}
