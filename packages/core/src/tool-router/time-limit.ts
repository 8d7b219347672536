import { TimeoutError } from '../errors/call-errors.ts';
import type { Timers } from '../protocol/host.ts';
import { GREP_TIMEOUT_MS, LONGEST_TIMER_MS, TOOL_TIMEOUT_MS } from '../protocol/limits.ts';
import type { ToolContext, ToolDefinition } from '../protocol/tool-definition.ts';
import { untilAborted } from './abort.ts';

/** The time that one call may take; it starts anew after every pause. */
export class TimeLimit {
  readonly #start: () => unknown;
  readonly #stop: (timer: unknown) => void;
  #timer: unknown;
  #waits = 0;
  #over = false;

  /** @param ms when to call back, counted from now */
  constructor(timers: Timers, ms: number, callback: () => void) {
    this.#start = () => timers.setTimeout(callback, ms);
    this.#stop = (timer) => timers.clearTimeout(timer);
    this.#timer = this.#start();
  }

  /** Runs `work` with the time limit paused; afterwards the limit starts anew. */
  async pauseDuring<T>(work: () => Promise<T>): Promise<T> {
    this.#waits++;
    this.#stop(this.#timer);
    try {
      return await work();
    } finally {
      this.#waits--;
      if (this.#waits === 0 && !this.#over) this.#timer = this.#start();
    }
  }

  /** Stops the timer for good. */
  end(): void {
    this.#over = true;
    this.#stop(this.#timer);
  }
}

/** The tool of a call, and what its time and its cancellation depend on. */
interface ToolRun {
  readonly definition: Pick<ToolDefinition, 'name' | 'timeoutMs'>;
  /** The context of the call; its signal is that of the turn. */
  readonly context: ToolContext;
  readonly timers: Timers;
}

/** Runs `work` with the tool's time limit paused. */
export type PauseDuring = <T>(work: () => Promise<T>) => Promise<T>;

/**
 * Does the work of one call within the tool's time limit. The limit is paused while consent is asked for, and then
 * starts anew: how long people think is not the tool's fault.
 *
 * When the time is up or the turn is cancelled, the signal that the work was given aborts, and the work is not
 * waited for.
 *
 * @param work is given the context to hand to the tool
 * @returns what the work returned
 * @throws AbortError when cancelled, TimeoutError after the time limit, else what the work threw
 */
export async function runTool<T>(
  { definition, context, timers }: ToolRun,
  work: (context: ToolContext, pauseDuring: PauseDuring) => Promise<T>,
): Promise<T> {
  const { signal } = context;
  const stop = new AbortController();
  const cancel = () => stop.abort(signal.reason);
  const ms = timeLimitOf(definition);
  const limit = new TimeLimit(timers, ms, () => stop.abort(timeoutError(definition, ms)));
  const pauseDuring: PauseDuring = (wait) => limit.pauseDuring(wait);
  const requestApproval: ToolContext['requestApproval'] = (...about) =>
    pauseDuring(() => context.requestApproval(...about));
  signal.addEventListener('abort', cancel, { once: true });
  try {
    return await untilAborted(work({ ...context, requestApproval, signal: stop.signal }, pauseDuring), stop.signal);
  } catch (error) {
    if (stop.signal.reason instanceof TimeoutError) throw stop.signal.reason;
    throw error;
  } finally {
    limit.end();
    signal.removeEventListener('abort', cancel);
  }
}

function timeLimitOf({ name, timeoutMs }: ToolRun['definition']): number {
  return Math.min(timeoutMs ?? (name === 'grep' ? GREP_TIMEOUT_MS : TOOL_TIMEOUT_MS), LONGEST_TIMER_MS);
}

function timeoutError({ name }: ToolRun['definition'], ms: number): TimeoutError {
  const remedy = name === 'grep' || name === 'glob' ? 'Narrow the path.' : 'Ask for less in one call.';
  return new TimeoutError(`${name} exceeded ${ms / 1000}s. ${remedy}`);
}
