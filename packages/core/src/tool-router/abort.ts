import { AbortError, TimeoutError } from '../errors/bae-error.ts';
import type { Timers } from '../protocol/host.ts';
import { GREP_TIMEOUT_MS, LONGEST_TIMER_MS, TOOL_TIMEOUT_MS } from '../protocol/limits.ts';
import type { ToolDefinition } from '../protocol/tool-definition.ts';

/** Message about a call that was cancelled while it ran. */
export const INTERRUPTED = 'interrupted, outcome unknown. Check its effect before you repeat it.';

/** Message about a single call or run block that the user cancelled. */
export const CANCELLED = `cancelled by the user: ${INTERRUPTED}`;

/** @throws AbortError if the signal has aborted */
export function throwIfAborted(signal: AbortSignal): void {
  if (signal.aborted) throw toAbortError(signal);
}

/** Returns the AbortError with which a signal was aborted, or a new one with its reason as the cause. */
export function toAbortError({ reason }: AbortSignal): AbortError {
  return reason instanceof AbortError ? reason : new AbortError(undefined, reason);
}

/**
 * Waits for work unless the signal aborts; the work itself is not stopped.
 *
 * @throws the signal's reason if it aborts first, otherwise the error of the work
 */
export function waitUnlessAborted<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    const cancel = () => reject(signal.reason as Error);
    signal.addEventListener('abort', cancel, { once: true });
    void work.then(resolve, reject).finally(() => signal.removeEventListener('abort', cancel));
    if (signal.aborted) cancel();
  });
}

/**
 * Waits for work until the signal aborts, as a turn does.
 *
 * @throws AbortError if the signal aborts first, otherwise the error of the work
 */
export async function untilAborted<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  try {
    return await waitUnlessAborted(work, signal);
  } catch (error) {
    throw signal.aborted && error === signal.reason ? toAbortError(signal) : error;
  }
}

/**
 * Aborts a controller when a signal aborts, for the same reason. Unlike `AbortSignal.any`, it leaves nothing behind in
 * a signal that outlives thousands of controllers.
 *
 * @returns a function that stops following the signal
 */
export function abortWith(controller: AbortController, signal: AbortSignal): () => void {
  const abort = () => controller.abort(signal.reason);
  if (signal.aborted) abort();
  else signal.addEventListener('abort', abort, { once: true });
  return () => signal.removeEventListener('abort', abort);
}

/** Multiple of its time limit that a call may take if it reports progress. */
const MOST_WITH_PROGRESS = 10;

/**
 * Time limit of one call. It is paused while a person is asked, and then restarts: the tool is not responsible for how
 * long people think. It also restarts with each report of progress, up to ten times its length in total.
 */
export class TimeLimit {
  readonly #stop = new AbortController();
  readonly #turn: AbortSignal;
  readonly #timers: Timers;
  readonly #ms: number;
  readonly #giveUp: () => void;
  /** The error with which the time was up. */
  #expiry: TimeoutError | undefined;
  #timer: unknown;
  #lastTimer: unknown;
  #done = -Infinity;
  #pauses = 0;
  #isOver = false;

  /** @param turn the signal that cancels the call */
  constructor(tool: Pick<ToolDefinition, 'name' | 'timeoutMs' | 'explainTimeout'>, turn: AbortSignal, timers: Timers) {
    const { name, timeoutMs } = tool;
    const ms = Math.min(timeoutMs ?? (name === 'grep' ? GREP_TIMEOUT_MS : TOOL_TIMEOUT_MS), LONGEST_TIMER_MS);
    const remedy = name === 'grep' || name === 'glob' ? 'Narrow the path.' : 'Ask for less in one call.';
    this.#turn = turn;
    this.#timers = timers;
    this.#ms = ms;
    this.#giveUp = () => {
      this.#expiry = tool.explainTimeout?.(ms) ?? new TimeoutError(`${name} exceeded ${ms / 1000}s. ${remedy}`);
      this.#stop.abort(this.#expiry);
    };
  }

  /** Aborts when the time is up or the turn is cancelled. */
  get signal(): AbortSignal {
    return this.#stop.signal;
  }

  /**
   * Runs the work of the call, without waiting for work that does not stop when the signal aborts.
   *
   * @throws AbortError when cancelled, TimeoutError when the time is up, otherwise the error of the work
   */
  async run<T>(work: () => Promise<T>): Promise<T> {
    const unlink = abortWith(this.#stop, this.#turn);
    this.#startTimer();
    try {
      return await untilAborted(work(), this.signal);
    } catch (error) {
      throw this.#expiry ?? error;
    } finally {
      this.#isOver = true;
      this.#stopTimer();
      unlink();
    }
  }

  /** Restarts the limit if more is done than at the last report. */
  extend(done: number): void {
    if (!(done > this.#done)) return;
    this.#done = done;
    if (this.#isOver || this.#pauses > 0) return;
    const longest = Math.min(this.#ms * MOST_WITH_PROGRESS, LONGEST_TIMER_MS);
    this.#lastTimer ??= this.#timers.setTimeout(this.#giveUp, longest);
    this.#timers.clearTimeout(this.#timer);
    this.#startTimer();
  }

  /** Runs `work` with the limit paused. */
  async pauseDuring<T>(work: () => Promise<T>): Promise<T> {
    this.#pauses++;
    this.#stopTimer();
    try {
      return await work();
    } finally {
      this.#pauses--;
      if (this.#pauses === 0 && !this.#isOver) this.#startTimer();
    }
  }

  /** Calls a function after some time. @returns a function that cancels this */
  schedule(call: () => void, ms: number): () => void {
    const timer = this.#timers.setTimeout(call, Math.min(ms, LONGEST_TIMER_MS));
    return () => this.#timers.clearTimeout(timer);
  }

  #startTimer(): void {
    this.#timer = this.#timers.setTimeout(this.#giveUp, this.#ms);
  }

  #stopTimer(): void {
    this.#timers.clearTimeout(this.#timer);
    if (this.#lastTimer !== undefined) this.#timers.clearTimeout(this.#lastTimer);
    this.#lastTimer = undefined;
  }
}
