import { AbortError, type RunOptions, type RunOutcome } from '@bae/core';
import { BlockExecution } from './block-execution.ts';
import { CallTable } from './call-table.ts';
import type { SandboxLimits } from './sandbox-options.ts';
import type { Thread } from './thread.ts';
import type { ThreadSupply } from './thread-supply.ts';

/** The blocks of one session: one after the other, over the same variables. */
export class BlockSession {
  readonly #supply: ThreadSupply;
  readonly #limits: SandboxLimits;
  #held: { readonly thread: Thread; readonly table: CallTable } | undefined;
  /** Settles when the block before is over. */
  #previous: Promise<unknown> = Promise.resolve();
  #blocks = 0;
  #closed = false;

  constructor(supply: ThreadSupply, limits: SandboxLimits) {
    this.#supply = supply;
    this.#limits = limits;
  }

  /** Runs a block after those before it; one that is cancelled until then is not begun. Never throws. */
  run(code: string, options: RunOptions): Promise<RunOutcome> {
    const { signal } = options;
    if (signal.aborted) return Promise.resolve(cancelled());
    const { promise, resolve } = Promise.withResolvers<RunOutcome>();
    const cancel = (): void => resolve(cancelled());
    signal.addEventListener('abort', cancel, { once: true });
    const turn = async (before: Promise<unknown>): Promise<void> => {
      await before;
      signal.removeEventListener('abort', cancel);
      const outcome = this.#run(code, options);
      resolve(outcome);
      await outcome.catch(() => undefined);
    };
    this.#previous = turn(this.#previous);
    return promise;
  }

  /** Ends the session's thread; a block that runs ends with it. */
  async close(): Promise<void> {
    this.#closed = true;
    await this.#drop();
  }

  async #run(code: string, options: RunOptions): Promise<RunOutcome> {
    if (this.#closed || options.signal.aborted) return cancelled();
    this.#held ??= { thread: this.#supply.take(), table: new CallTable() };
    const { thread, table } = this.#held;
    const limits = this.#limits;
    const block = ++this.#blocks;
    const { outcome, spent } = await new BlockExecution({ thread, table, limits, code, block, options }).execute();
    if (spent) void this.#drop();
    // Later, so that this block's answer need not wait for it.
    setImmediate(() => this.#supply.prepare()).unref();
    return outcome;
  }

  async #drop(): Promise<void> {
    const held = this.#held;
    this.#held = undefined;
    if (held !== undefined) await this.#supply.end(held.thread);
  }
}

function cancelled(): RunOutcome {
  const { name, message } = new AbortError('the block was cancelled.');
  return { ok: false, output: `${name}: ${message}`, errorType: name };
}
