import { RunError, type CodeRunner, type RunOptions, type RunOutcome } from '@bae/core';
import { renderError } from '@bae/core/pipeline';
import { BlockSession } from './block-session.ts';
import { limitsOf, type SandboxLimits, type SandboxOptions } from './sandbox-options.ts';
import { ThreadSupply } from './thread-supply.ts';

/** Characters of the code of one block: reading several times as many takes more memory than a thread may have. */
const MOST_CODE = 150_000;

/**
 * Runs TypeScript that a model wrote, in an engine of its own that reaches nothing but the calls it is given.
 *
 * Blocks of one session share their variables and run one after the other; sessions know nothing of one another.
 */
export class Sandbox implements CodeRunner, AsyncDisposable {
  readonly #limits: SandboxLimits;
  readonly #supply: ThreadSupply;
  readonly #sessions = new Map<string, BlockSession>();
  /** Sessions of one block, while it runs. */
  readonly #unnamed = new Set<BlockSession>();
  #closed = false;

  /** @throws ConfigurationError when a limit makes no sense */
  constructor(options: SandboxOptions = {}) {
    this.#limits = limitsOf(options);
    this.#supply = new ThreadSupply(this.#limits);
  }

  /** Runs a block; failure is an outcome, as is too much code. A block without a session has variables of its own. */
  async run(code: string, options: RunOptions): Promise<RunOutcome> {
    if (this.#closed) return { ok: false, output: 'RunError: the sandbox is closed.', errorType: 'RunError' };
    if (code.length > MOST_CODE) return tooLong(code);
    if (options.session !== undefined) return this.#session(options.session).run(code, options);
    const session = new BlockSession(this.#supply, this.#limits);
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
    return this.#supply.warm();
  }

  /** Lets go of a session: its variables are gone, and a block that runs is ended. */
  async forget(session: string): Promise<void> {
    const found = this.#sessions.get(session);
    this.#sessions.delete(session);
    await found?.close();
  }

  /** Ends everything; blocks that run fail. Called once or more. */
  async dispose(): Promise<void> {
    this.#closed = true;
    const named = [...this.#sessions.keys()].map((session) => this.forget(session));
    await Promise.all([...named, ...Array.from(this.#unnamed, (session) => session.close())]);
    await this.#supply.close();
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.dispose();
  }

  #session(name: string): BlockSession {
    const found = this.#sessions.get(name) ?? new BlockSession(this.#supply, this.#limits);
    this.#sessions.set(name, found);
    return found;
  }
}

/** Refused out here: a thread that runs out of memory over it can take the process with it. */
function tooLong({ length }: string): RunOutcome {
  const text = `the code has ${length} characters; a run block takes at most ${MOST_CODE}.`;
  const error = renderError(new RunError(text, ['write long data to a file, and read it in the code']));
  return { ok: false, output: error.text, errorType: error.errorType };
}
