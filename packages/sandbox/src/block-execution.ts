import { AbortError, type RunOptions, type RunOutcome } from '@bae/core';
import { BlockCalls, type CallAnswer } from './block-calls.ts';
import type { CallTable, WrittenScope } from './call-table.ts';
import { Deadline } from './deadline.ts';
import type { BlockEnd, FromThread, LostErrors } from './message.ts';
import { outOfMemoryError } from './out-of-memory.ts';
import { lostLines } from './lost-lines.ts';
import { cancelledText, endText, type EndedBlock } from './outcome-text.ts';
import type { SandboxLimits } from './sandbox-options.ts';
import type { Thread, ThreadListener } from './thread.ts';
import { unaskedLines } from './unasked-lines.ts';

/** Milliseconds that code has to end once it is asked to. */
const GRACE_MS = 100;
/** Calls without an answer that are quoted. */
const QUOTES = 3;

/** One block, and what it runs in. */
export interface BlockParts {
  readonly thread: Thread;
  readonly table: CallTable;
  readonly limits: SandboxLimits;
  readonly code: string;
  /** Number of the block in its session. */
  readonly block: number;
  readonly options: RunOptions;
}

/** What became of a block. */
export interface BlockResult {
  readonly outcome: RunOutcome;
  /** True when the thread is of no more use. */
  readonly spent: boolean;
}

type EndMessage = Omit<Extract<FromThread, { type: 'end' }>, 'type' | 'output'>;

/** The execution of one block, seen from outside the sandbox. */
export class BlockExecution implements ThreadListener {
  readonly #parts: BlockParts;
  readonly #result = Promise.withResolvers<BlockResult>();
  readonly #stopped = new AbortController();
  readonly #calls: BlockCalls;
  readonly #cancel = (): void => this.#stop();
  #deadline: Deadline | undefined;
  #output = '';
  #names: readonly string[] = [];
  #spaces: EndedBlock['spaces'] = [];
  #grace: NodeJS.Timeout | undefined;
  #ended = false;

  constructor(parts: BlockParts) {
    this.#parts = parts;
    const block = {
      signal: this.#stopped.signal,
      without: <T>(work: () => Promise<T>) => (this.#deadline === undefined ? work() : this.#deadline.without(work)),
    };
    this.#calls = new BlockCalls({
      table: parts.table,
      dispatch: (call) => parts.options.dispatch(call, block),
      answer: (answer) => this.#answer(answer),
    });
  }

  /** Runs the block to its end. Never throws. */
  execute(): Promise<BlockResult> {
    const { thread, options } = this.#parts;
    options.signal.addEventListener('abort', this.#cancel, { once: true });
    thread.listen(this);
    thread.ready().then(
      () => this.#begin(),
      () => undefined,
    );
    return this.#result.promise;
  }

  heard(message: FromThread): void {
    if (message.type === 'ready') return;
    this.#output += message.output;
    if (message.type === 'end') return this.#end(message);
    if (message.waits && this.#deadline) this.#deadline.waits = true;
    this.#calls.taken(message.taken);
    this.#calls.make(message.calls);
  }

  failed(error: Error): void {
    const { code } = error as NodeJS.ErrnoException;
    const { name, message } =
      code === 'ERR_WORKER_OUT_OF_MEMORY' ? outOfMemoryError() : { name: 'RunError', message: error.message };
    const end: BlockEnd = this.#stopped.signal.aborted
      ? { state: 'stopped', error: undefined }
      : { state: 'thrown', error: { name, message, stack: '' } };
    this.#end({ end, cut: false, lost: NOTHING, spent: true });
  }

  /** Time counts from here: loading the engine is not the code's fault. */
  #begin(): void {
    if (this.#ended) return;
    const { thread, limits, code, block } = this.#parts;
    this.#deadline = new Deadline(limits.timeoutMs, () => this.#stop());
    try {
      const { scope, operators } = this.#scope();
      thread.tell({ type: 'run', block, code, scope, operators });
    } catch (error) {
      this.failed(error as Error);
    }
  }

  #answer({ id, form, text, moved }: CallAnswer): void {
    if (this.#deadline) this.#deadline.waits = false;
    const { thread, block } = this.#parts;
    try {
      const scope = moved ? this.#scope().scope : '';
      thread.tell({ type: 'answer', block, id, form, text, scope });
    } catch (error) {
      this.failed(error as Error);
    }
  }

  #scope(): WrittenScope {
    const scope = this.#parts.options.scope?.() ?? { tools: [], spaces: [] };
    const written = this.#parts.table.write(scope);
    this.#names = written.names;
    this.#spaces = scope.spaces;
    return written;
  }

  /** Asks the code to end, and ends it when it does not. */
  #stop(): void {
    if (this.#stopped.signal.aborted) return;
    this.#stopped.abort(this.#parts.options.signal.reason ?? new AbortError('the block was stopped'));
    if (this.#deadline === undefined) return this.#end({ ...KILLED, spent: false });
    this.#calls.end();
    this.#parts.thread.stop();
    this.#grace = setTimeout(() => this.#end(KILLED), GRACE_MS);
  }

  #end({ end, cut, lost, spent }: EndMessage): void {
    if (this.#ended) return;
    this.#ended = true;
    const { thread, options } = this.#parts;
    clearTimeout(this.#grace);
    this.#deadline?.end();
    this.#calls.end();
    options.signal.removeEventListener('abort', this.#cancel);
    thread.rest();
    this.#result.resolve({ outcome: this.#outcome({ end, cut, lost, spent }), spent });
  }

  #outcome({ end, cut, lost, spent }: EndMessage): RunOutcome {
    const { options, limits, code, block } = this.#parts;
    const [open, firstOpen] = [this.#calls.open, this.#calls.firstOpen(QUOTES)];
    const said = options.signal.aborted
      ? cancelledText({ open, firstOpen })
      : endText({ end, code, block, limits, spent, open, firstOpen, names: this.#names, spaces: this.#spaces });
    const { errorType, output: told } = said ?? {};
    const ok = errorType === undefined;
    const shown = [
      ...(this.#output === '' ? [] : [this.#output.replace(/\n$/, '')]),
      ...(cut ? [`… output beyond ${limits.outputLimit} characters is left out`] : []),
      ...(ok && told !== undefined ? [told] : []),
      ...(end.state === 'done' && end.cut ? [`… value beyond ${limits.outputLimit} characters is left out`] : []),
    ];
    const wrong = [
      ...(ok || told === undefined ? [] : [told]),
      ...lostLines(lost, this.#parts.block, (call) => this.#calls.failureOf(call)),
      ...unaskedLines(lost, { end, code, block, calls: this.#calls }),
    ];
    const output = [...shown, ...wrong].join('\n');
    return { ok, output, ...(!ok && { errorType }), ...(wrong.length > 0 && { error: wrong.join('\n') }) };
  }
}

const NOTHING: LostErrors = { first: [], count: 0 };
const KILLED: EndMessage = { end: { state: 'stopped', error: undefined }, cut: false, lost: NOTHING, spent: true };
