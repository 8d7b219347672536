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

/** How many calls of the greatest size can be pending at a time. */
const LARGEST_CALLS = 2;
/** How often jobs are run to finish what a block has begun. */
const LAST_STRETCHES = 10;
/** Errors that are described of those that nothing has caught. */
const MOST_ERRORS = 3;
/** Characters of results that are reported as received when there is nothing else to report. */
const REPORTED_CHARACTERS = 1_000_000;
/** Milliseconds between two messages with output while code runs. */
const FLUSH_MS = 50;
/** What WebAssembly throws, also where the engine does not check whether it has got memory. */
const TRAP = 'RuntimeError';

export interface BlockHost {
  readonly settings: ThreadSettings;
  isStopped(): boolean;
  send(message: ThreadMessage): void;
  /** The next message from the host, if there is any. */
  poll(): HostMessage | undefined;
  wait(): HostMessage;
}

export class BlockRun {
  readonly #host: BlockHost;
  readonly #output: BlockOutput;
  /** Calls that were not sent yet; and characters of the arguments of pending calls, by number. */
  #requests: CallRequest[] = [];
  readonly #pending = new Map<number, number>();
  #block = 0;
  #callCount = 0;
  #pendingCharacters = 0;
  /** Characters of the results that were received, and of those that were reported. */
  #received = 0;
  #reported = 0;
  /** The first call that had no result when the last line had run. */
  #late: number | undefined;
  /** True once nothing is left but to format values and errors. */
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

  /** @throws RangeError when the block has made too many calls, sends too much at a time, or is over */
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
      // The engine itself has failed: what it holds cannot be trusted any more.
      const isFull = engine.isNearlyFull && (error as Error).name === TRAP;
      const thrown: BlockEnd = { state: 'thrown', error: toThrownError(isFull ? createOutOfMemoryError() : error) };
      this.#sendEnd(this.#host.isStopped() ? { state: 'stopped', error: undefined } : thrown, undefined);
    }
  }

  /** Hands a result to the code. One that comes too late still changes the scope. */
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

  /** Runs jobs for a while, then looks for messages. Returns whether there is more to do. */
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

  /** @param notAwaited undefined when the engine cannot be used again */
  #sendEnd(end: BlockEnd, notAwaited: NotAwaited | undefined): void {
    const { isCut: cut } = this.#output;
    const rest = { ...(notAwaited ?? NOTHING_LEFT), late: this.#late };
    const spent = notAwaited === undefined;
    this.#host.send({ type: 'end', end, output: this.#output.take(), cut, notAwaited: rest, spent });
  }

  /**
   * What was not awaited, once all that the block has begun has ended, formatting its value included. Undefined when the
   * engine cannot be used again. @throws Error when what code has begun never ends, unless the block was stopped
   */
  #collect(engine: Engine, end: BlockEnd): NotAwaited | undefined {
    // Memory that a block has taken is not given back.
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

/** Runs what a block has begun to its end, since it must not run on in the next one. Returns whether it has ended. */
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

/** What a block prints, up to a limit. */
export class BlockOutput {
  readonly #limit: number;
  readonly #flush: (text: string) => void;
  #text = '';
  #length = 0;
  #flushedAt = Number.NEGATIVE_INFINITY;

  /** @param flush sends what was printed, so that it is not lost with the thread */
  constructor(limit: number, flush: (text: string) => void) {
    this.#limit = limit;
    this.#flush = flush;
  }

  get isCut(): boolean {
    return this.#length > this.#limit + 1;
  }

  /** Adds a line; the first one is sent at once. */
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
