import {
  createOutOfMemoryError,
  isOutOfMemory,
  NOTHING_LEFT,
  cutText,
  type BlockEnd,
  type CallRequest,
  type HostMessage,
  type NotAwaited,
  type ThreadMessage,
  type ThreadSettings,
  type ThrownError,
} from '../messages.ts';
import { CodeError } from './code-error.ts';
import type { Engine } from './engine.ts';
import { prepareCode } from './prepare-code.ts';

type RunMessage = Extract<HostMessage, { type: 'run' }>;
type ResultMessage = Extract<HostMessage, { type: 'result' }>;

/** Maximum number of calls of the maximum size that can be pending at the same time. */
const LARGEST_CALLS = 2;
/** Maximum number of times that jobs are run to finish the work that a block has begun. */
const LAST_STRETCHES = 10;
/** Maximum number of uncaught errors that are described. */
const MOST_ERRORS = 3;
/** Length of received results that is reported even if there is nothing else to report, in characters. */
const REPORTED_CHARACTERS = 1_000_000;
/** Minimum time between two messages with output while code runs, in milliseconds. */
const FLUSH_MS = 50;
/** Name of WebAssembly's errors, which also occur if the engine does not check whether memory was allocated. */
const TRAP = 'RuntimeError';

export interface BlockHost {
  readonly settings: ThreadSettings;
  isStopped(): boolean;
  send(message: ThreadMessage): void;
  /** Returns the next message from the host, if there is one. */
  poll(): HostMessage | undefined;
  wait(): HostMessage;
}

export class BlockRun {
  readonly #host: BlockHost;
  readonly #output: BlockOutput;
  /** Calls that have not been sent yet; and lengths of the arguments of pending calls, in characters, by number. */
  #requests: CallRequest[] = [];
  readonly #pending = new Map<number, number>();
  #block = 0;
  #callCount = 0;
  #pendingCharacters = 0;
  /** Lengths of the results that were received, and of those that were reported, in characters. */
  #received = 0;
  #reported = 0;
  /** Number of the first call that had no result when the last line had run. */
  #late: number | undefined;
  /** True once only values and errors remain to be formatted. */
  #isOver = false;

  constructor(host: BlockHost) {
    this.#host = host;
    this.#output = new BlockOutput(host.settings.outputLimit, (output) =>
      host.send({ type: 'progress', output, calls: [], waits: false, received: this.#received }),
    );
  }

  print(line: string): void {
    this.#output.print(line);
  }

  /** @throws RangeError if the block has made too many calls, sends too much at a time, or is over */
  requestCall(callee: number, args: string): number {
    // Stopped code may run on for a moment; its calls are dropped without an error.
    if (this.#isOver && !this.#host.isStopped()) throw new RangeError('the block has ended, and makes no more calls');
    const { mostCalls, mostArguments } = this.#host.settings;
    if (this.#callCount >= mostCalls) throw new RangeError(`a run block makes at most ${mostCalls} calls`);
    const characters = args.length;
    if (characters > mostArguments) {
      throw new RangeError(`a call takes at most ${mostArguments} characters, not ${characters}: pass it in parts`);
    }
    const limit = LARGEST_CALLS * mostArguments;
    if (this.#pendingCharacters + characters > limit) {
      throw new RangeError(`calls without a result hold at most ${limit} characters: await some of them first`);
    }
    this.#pendingCharacters += characters;
    const id = ++this.#callCount;
    this.#pending.set(id, characters);
    this.#requests.push({ id, callee, args });
    return id;
  }

  run(engine: Engine, message: RunMessage): void {
    try {
      const end = this.#evaluate(engine, message);
      this.#sendEnd(end, this.#collect(engine, end));
    } catch (error) {
      // The engine itself has failed: its content can no longer be trusted.
      const isFull = engine.isNearlyFull && (error as Error).name === TRAP;
      const thrown: BlockEnd = { state: 'thrown', error: toThrownError(isFull ? createOutOfMemoryError() : error) };
      this.#sendEnd(this.#host.isStopped() ? { state: 'stopped', error: undefined } : thrown, undefined);
    }
  }

  /** Passes a result to the code. One that comes too late still changes the scope. */
  receive(engine: Engine, { block, id, form, text, scope }: ResultMessage): void {
    if (scope !== '') engine.setScope('move', scope);
    const characters = block === this.#block ? this.#pending.get(id) : undefined;
    if (characters === undefined) return;
    this.#pending.delete(id);
    this.#pendingCharacters -= characters;
    this.#received += text.length;
    engine.settle(id, form, text);
  }

  #evaluate(engine: Engine, { block, code, scope, operators }: RunMessage): BlockEnd {
    this.#block = block;
    engine.setScope('begin', scope);
    let shows: boolean;
    try {
      const prepared = prepareCode(code, operators);
      engine.evaluate(prepared.script, `block-${block}`);
      shows = prepared.shows;
    } catch (error) {
      if (error instanceof CodeError) return { state: 'unreadable', message: error.message, line: error.line };
      throw error;
    }
    while (this.#advance(engine)) continue;
    this.#isOver = true;
    const end = engine.evaluation(shows);
    if (this.#host.isStopped()) {
      const stopped = engine.evaluation(false);
      return { state: 'stopped', error: stopped.state === 'thrown' ? stopped.error : undefined };
    }
    if (end.state === 'pending') return { state: 'stuck' };
    if (end.state === 'thrown') return end;
    const { outputLimit } = this.#host.settings;
    const cut = end.value !== undefined && end.value.length > outputLimit;
    return { state: 'done', value: cut ? cutText(end.value, outputLimit) : end.value, cut };
  }

  /** Runs jobs for a while, then checks for messages. Returns true if there is more to do. */
  #advance(engine: Engine): boolean {
    const host = this.#host;
    const isBusy = engine.runJobs();
    if (host.isStopped() || (!isBusy && this.#pending.size === 0)) return false;
    // Results come in the order of their calls, so the calls after this one are late as well.
    if (!isBusy && this.#late === undefined && engine.hasFinished) [this.#late] = this.#pending.keys();
    this.#sendProgress(!isBusy);
    const message = isBusy ? host.poll() : host.wait();
    if (message?.type === 'result') this.receive(engine, message);
    return !host.isStopped();
  }

  #sendProgress(waits: boolean): void {
    const calls = this.#requests;
    const output = this.#output.take();
    const received = this.#received;
    this.#requests = [];
    if (!waits && calls.length === 0 && output === '' && received - this.#reported < REPORTED_CHARACTERS) return;
    this.#reported = received;
    this.#host.send({ type: 'progress', output, calls, waits, received });
  }

  /** @param notAwaited undefined if the engine cannot be used again */
  #sendEnd(end: BlockEnd, notAwaited: NotAwaited | undefined): void {
    const { isCut: cut } = this.#output;
    const rest = { ...(notAwaited ?? NOTHING_LEFT), late: this.#late };
    const spent = notAwaited === undefined;
    this.#host.send({ type: 'end', end, output: this.#output.take(), cut, notAwaited: rest, spent });
  }

  /**
   * Collects what was not awaited, after all work that the block has begun has ended, including formatting its value.
   * Returns undefined if the engine cannot be used again. @throws Error if work that code has begun never ends, unless
   * the block was stopped
   */
  #collect(engine: Engine, end: BlockEnd): NotAwaited | undefined {
    // Memory that a block has taken is never released.
    const isStopped = end.state === 'stopped';
    if (engine.isNearlyFull && (isStopped || (end.state === 'thrown' && isOutOfMemory(end.error)))) return undefined;
    if (!finishJobs(engine, isStopped)) return undefined;
    const rest = engine.takeNotAwaited(MOST_ERRORS);
    if (rest.count === 0) return rest;
    if (!finishJobs(engine, isStopped)) return undefined;
    engine.takeNotAwaited(0);
    return rest;
  }
}

/**
 * Finishes the work that a block has begun, which must not continue in the next block. Returns true if it has ended.
 */
function finishJobs(engine: Engine, isStopped: boolean): boolean {
  let stretches = 0;
  while (engine.runJobs()) {
    if (++stretches < LAST_STRETCHES) continue;
    if (isStopped) return false;
    throw new Error('what the code has begun never ends');
  }
  engine.forget();
  return true;
}

function toThrownError(error: unknown): ThrownError {
  const { name, message } = error instanceof Error ? error : new Error(String(error));
  return { name, message, stack: '' };
}

/** Output of a block, up to a limit. */
export class BlockOutput {
  readonly #limit: number;
  readonly #flush: (text: string) => void;
  #text = '';
  #length = 0;
  #flushedAt = Number.NEGATIVE_INFINITY;

  /** @param flush sends printed text, so that it is not lost with the thread */
  constructor(limit: number, flush: (text: string) => void) {
    this.#limit = limit;
    this.#flush = flush;
  }

  get isCut(): boolean {
    return this.#length > this.#limit + 1;
  }

  /** Adds a line; the first one is sent immediately. */
  print(line: string): void {
    const room = this.#limit - this.#length;
    this.#length += line.length + 1;
    if (room > 0 || (room === 0 && line === '')) this.#text += `${cutText(line, room)}\n`;
    const now = performance.now();
    if (this.#text === '' || now - this.#flushedAt < FLUSH_MS) return;
    this.#flushedAt = now;
    this.#flush(this.take());
  }

  take(): string {
    const text = this.#text;
    this.#text = '';
    return text;
  }
}
