import { AbortError, type RunOptions, type RunOutcome } from '@bae/core';
import { describeCancel, describeBlockEnd, type EndedBlock } from '../hints/describe-end.ts';
import { describeNotAwaited } from '../hints/not-awaited.ts';
import {
  createOutOfMemoryError,
  NOTHING_LEFT,
  type BlockEnd,
  type CallResult,
  type ThreadMessage,
} from '../messages.ts';
import { BlockCalls } from './block-calls.ts';
import type { CalleeTable } from './callee-table.ts';
import type { SandboxLimits, Thread, ThreadListener } from './thread.ts';

/** Time that code has to end after it is asked to, in milliseconds. */
const GRACE_MS = 100;

export interface BlockParts {
  readonly thread: Thread;
  readonly table: CalleeTable;
  readonly limits: SandboxLimits;
  readonly code: string;
  readonly block: number;
  readonly options: RunOptions;
}

export interface BlockResult {
  readonly outcome: RunOutcome;
  /** True if the thread cannot be used again. */
  readonly spent: boolean;
}

type EndMessage = Omit<Extract<ThreadMessage, { type: 'end' }>, 'type' | 'output'>;

const KILLED: EndMessage = {
  end: { state: 'stopped', error: undefined },
  cut: false,
  notAwaited: NOTHING_LEFT,
  spent: true,
};

export class Block implements ThreadListener {
  readonly #parts: BlockParts;
  readonly #result = Promise.withResolvers<BlockResult>();
  readonly #stopped = new AbortController();
  readonly #calls: BlockCalls;
  readonly #stop = (): void => this.#requestStop();
  #deadline: Deadline | undefined;
  #output = '';
  #names: readonly string[] = [];
  #spaces: EndedBlock['spaces'] = [];
  #grace: NodeJS.Timeout | undefined;
  #isEnded = false;

  constructor(parts: BlockParts) {
    this.#parts = parts;
    const running = {
      signal: this.#stopped.signal,
      pauseDuring: <T>(work: () => Promise<T>) => this.#deadline?.pauseDuring(work) ?? work(),
    };
    this.#calls = new BlockCalls({
      table: parts.table,
      dispatch: (call) => parts.options.dispatch(call, running),
      onResult: (result, moved) => this.#sendResult(result, moved),
    });
  }

  /** Runs the block to its end. Never throws. */
  run(): Promise<BlockResult> {
    const { thread, options } = this.#parts;
    options.signal.addEventListener('abort', this.#stop, { once: true });
    thread.listen(this);
    thread.ready().then(
      () => this.#begin(),
      () => undefined,
    );
    return this.#result.promise;
  }

  receive(message: ThreadMessage): void {
    if (message.type === 'ready') return;
    this.#output += message.output;
    if (message.type === 'end') return this.#end(message);
    if (message.waits && this.#deadline) this.#deadline.isWaiting = true;
    this.#calls.noteReceived(message.received);
    this.#calls.make(message.calls);
  }

  fail(error: Error): void {
    const isFull = (error as NodeJS.ErrnoException).code === 'ERR_WORKER_OUT_OF_MEMORY';
    const { name, message } = isFull ? createOutOfMemoryError() : { name: 'RunError', message: error.message };
    const thrown: BlockEnd = { state: 'thrown', error: { name, message, stack: '' } };
    this.#end(this.#stopped.signal.aborted ? KILLED : { ...KILLED, end: thrown });
  }

  /** Starts the time limit of the block, after the engine is loaded. */
  #begin(): void {
    if (this.#isEnded) return;
    const { thread, limits, code, block } = this.#parts;
    this.#deadline = new Deadline(limits.timeoutMs, this.#stop);
    try {
      const { scope, operators } = this.#encodeScope();
      thread.send({ type: 'run', block, code, scope, operators });
    } catch (error) {
      this.fail(error as Error);
    }
  }

  #sendResult(result: CallResult, moved: boolean): void {
    if (this.#deadline) this.#deadline.isWaiting = false;
    const { thread, block } = this.#parts;
    try {
      thread.send({ type: 'result', block, ...result, scope: moved ? this.#encodeScope().scope : '' });
    } catch (error) {
      this.fail(error as Error);
    }
  }

  #encodeScope() {
    const scope = this.#parts.options.scope?.() ?? { tools: [], spaces: [] };
    const encoded = this.#parts.table.encode(scope);
    this.#names = encoded.names;
    this.#spaces = scope.spaces;
    return encoded;
  }

  /** Asks the code to end, and ends the block if it does not. */
  #requestStop(): void {
    if (this.#stopped.signal.aborted) return;
    this.#stopped.abort(this.#parts.options.signal.reason ?? new AbortError('the block was stopped'));
    if (this.#deadline === undefined) return this.#end({ ...KILLED, spent: false });
    this.#calls.end();
    this.#parts.thread.stop();
    this.#grace = setTimeout(() => this.#end(KILLED), GRACE_MS);
  }

  #end(message: EndMessage): void {
    if (this.#isEnded) return;
    this.#isEnded = true;
    const { thread, options } = this.#parts;
    clearTimeout(this.#grace);
    this.#deadline?.clear();
    this.#calls.end();
    options.signal.removeEventListener('abort', this.#stop);
    thread.rest();
    this.#result.resolve({ outcome: this.#createOutcome(message), spent: message.spent });
  }

  #createOutcome({ end, cut, notAwaited, spent }: EndMessage): RunOutcome {
    const { options, limits, code, block } = this.#parts;
    const calls = this.#calls;
    const ended = { end, code, block, limits, spent, calls, names: this.#names, spaces: this.#spaces };
    const { errorType, output } = (options.signal.aborted ? describeCancel(calls) : describeBlockEnd(ended)) ?? {};
    const ok = errorType === undefined;
    const text = output === undefined ? [] : [output];
    const shown = [
      ...(this.#output === '' ? [] : [this.#output.replace(/\n$/, '')]),
      ...(cut ? [`… output beyond ${limits.outputLimit} characters is left out`] : []),
      ...(ok ? text : []),
      ...(end.state === 'done' && end.cut ? [`… value beyond ${limits.outputLimit} characters is left out`] : []),
    ];
    const wrong = [...(ok ? [] : text), ...describeNotAwaited(notAwaited, ended)];
    const error = wrong.length > 0 && { error: wrong.join('\n') };
    return { ok, output: [...shown, ...wrong].join('\n'), ...(!ok && { errorType }), ...error };
  }
}

/** Time limit that is paused while the code waits for a person's reply. */
export class Deadline {
  readonly #onTimeout: () => void;
  #left: number;
  #began = 0;
  #timer: NodeJS.Timeout | undefined;
  #pauses = 0;
  #isWaiting = false;
  #isCleared = false;

  constructor(ms: number, onTimeout: () => void) {
    this.#left = ms;
    this.#onTimeout = onTimeout;
    this.#update();
  }

  /** True while the code cannot continue without a result; the time limit can be paused only then. */
  set isWaiting(isWaiting: boolean) {
    this.#isWaiting = isWaiting;
    this.#update();
  }

  async pauseDuring<T>(work: () => Promise<T>): Promise<T> {
    this.#pauses++;
    this.#update();
    try {
      return await work();
    } finally {
      this.#pauses--;
      this.#update();
    }
  }

  clear(): void {
    this.#isCleared = true;
    this.#update();
  }

  #update(): void {
    const runs = !this.#isCleared && !(this.#pauses > 0 && this.#isWaiting);
    if (runs === (this.#timer !== undefined)) return;
    if (runs) {
      this.#began = performance.now();
      this.#timer = setTimeout(this.#onTimeout, Math.max(0, this.#left));
      return;
    }
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#left -= performance.now() - this.#began;
  }
}
