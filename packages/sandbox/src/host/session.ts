import { AbortError, type RunOptions, type RunOutcome } from '@bae/core';
import { Block } from './block.ts';
import { CalleeTable } from './callee-table.ts';
import type { SandboxLimits } from './limits.ts';
import type { Thread, ThreadPool } from './thread.ts';

/** The blocks of one session: they run one after the other, and share their variables. */
export class Session {
  readonly #threads: ThreadPool;
  readonly #limits: SandboxLimits;
  #held: { readonly thread: Thread; readonly table: CalleeTable } | undefined;
  /** Settles when the previous block has ended. */
  #previous: Promise<unknown> = Promise.resolve();
  #blockCount = 0;
  #isClosed = false;

  constructor(threads: ThreadPool, limits: SandboxLimits) {
    this.#threads = threads;
    this.#limits = limits;
  }

  /** Runs a block after the previous ones. A block that is cancelled before that does not begin. Never throws. */
  run(code: string, options: RunOptions): Promise<RunOutcome> {
    const { signal } = options;
    if (signal.aborted) return Promise.resolve(createCancelOutcome());
    const { promise, resolve } = Promise.withResolvers<RunOutcome>();
    const cancel = (): void => resolve(createCancelOutcome());
    signal.addEventListener('abort', cancel, { once: true });
    const runAfter = async (previous: Promise<unknown>): Promise<void> => {
      await previous;
      signal.removeEventListener('abort', cancel);
      const outcome = this.#run(code, options);
      resolve(outcome);
      await outcome.catch(() => undefined);
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
    if (this.#isClosed || options.signal.aborted) return createCancelOutcome();
    this.#held ??= { thread: this.#threads.take(), table: new CalleeTable() };
    const { outcome, spent } = await new Block({
      ...this.#held,
      limits: this.#limits,
      code,
      block: ++this.#blockCount,
      options,
    }).run();
    if (spent) void this.#endThread();
    // Later, so that the outcome need not wait for it.
    setImmediate(() => this.#threads.prepare()).unref();
    return outcome;
  }

  async #endThread(): Promise<void> {
    const held = this.#held;
    this.#held = undefined;
    if (held !== undefined) await this.#threads.end(held.thread);
  }
}

function createCancelOutcome(): RunOutcome {
  const { name, message } = new AbortError('the block was cancelled.');
  return { ok: false, output: `${name}: ${message}`, errorType: name };
}
