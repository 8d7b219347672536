import { AbortError, ModelError } from '../errors/session-errors.ts';
import { BaeError } from '../errors/bae-error.ts';
import type { Entropy, Host, Timers } from '../protocol/host.ts';
import { LONGEST_TIMER_MS, RESPONSE_CAP } from '../protocol/limits.ts';
import type { Message, EndReason, Model, ModelPart, Usage } from '../protocol/model.ts';
import { asModelText, type ModelText } from '../protocol/model-text.ts';
import { toAbortError, untilAborted } from '../tool-router/abort.ts';

const FIRST_DELAY_MS = 500;
/** A service that asks for a longer delay than this is not tried again. */
const LONGEST_DELAY_MS = 60_000;

/** A response that ended normally, and may therefore be executed. */
interface Response {
  readonly text: ModelText;
  readonly usage: Usage;
}

/** One request to a model. */
export interface Request {
  readonly model: Model;
  readonly messages: readonly Message[];
  /** Ends the request with the error that it was aborted with. */
  readonly signal: AbortSignal;
  readonly timers: Timers;
  /** Longest wait for the first part, and longest silence after it, in milliseconds. */
  readonly firstTokenMs: number;
  readonly idleMs: number;
  onDelta(text: string): Promise<void>;
  /** Called with the cost of a response, also of one that fails later. */
  onUsage(usage: Usage): void;
}

/** How often and for how long a request is tried. */
interface RetryPolicy {
  /** Tries in all, the first included. */
  readonly tries: number;
  /** Longest time of all tries and the delays between them, in milliseconds. */
  readonly deadlineMs: number;
  readonly host: Host;
  onRetry(text: string): Promise<void>;
}

/**
 * Sends a request until a response ends as it should, an error is not going to pass, or the time is up.
 *
 * @throws ModelError the last error; AbortError when the signal aborts
 */
export async function requestWithRetries(request: Omit<Request, 'timers'>, policy: RetryPolicy): Promise<Response> {
  const { tries, deadlineMs, host } = policy;
  const { clock, timers } = host;
  const stop = new AbortController();
  const signal = AbortSignal.any([request.signal, stop.signal]);
  const deadline = clock.now() + deadlineMs;
  const giveUp = () => stop.abort(deadlineExceeded(deadlineMs));
  const timer = timers.setTimeout(giveUp, Math.min(deadlineMs, LONGEST_TIMER_MS));
  try {
    for (let attempt = 1; ; attempt++) {
      try {
        return await receiveResponse({ ...request, timers, signal });
      } catch (error) {
        if (!(error instanceof ModelError) || signal.aborted) throw error;
        const delay = computeDelay(error, attempt, host);
        const isInTime = delay <= LONGEST_DELAY_MS && clock.now() + delay < deadline;
        if (!error.retryable || attempt >= tries || !isInTime) throw error;
        const next = `Trying again in ${formatSeconds(delay)} (try ${attempt + 1} of ${tries}).`;
        await policy.onRetry(`${error.message} ${next}`);
        await sleep(delay, signal, timers);
      }
    }
  } finally {
    timers.clearTimeout(timer);
  }
}

/**
 * At least what the service requests, else half of a step that doubles; plus up to half a step at random, so that
 * agents that failed together do not retry together.
 */
function computeDelay({ retryAfterMs }: ModelError, attempt: number, { entropy }: Host): number {
  const half = Math.min(FIRST_DELAY_MS * 2 ** (attempt - 1), LONGEST_DELAY_MS) / 2;
  return Math.round((retryAfterMs ?? half) + half * getRandomFraction(entropy));
}

/** Draws a number from 0 up to, but not including, 1. */
export function getRandomFraction(entropy: Entropy): number {
  const drawn = entropy.getRandomValues(new Uint8Array(4));
  return drawn.reduce((fraction, byte) => (fraction + byte) / 256, 0);
}

/** @throws AbortError when the signal aborts first */
async function sleep(ms: number, signal: AbortSignal, timers: Timers): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  const timer = timers.setTimeout(resolve, ms);
  await untilAborted(promise, signal).finally(() => timers.clearTimeout(timer));
}

/**
 * Reads one response to its end. Only a response that its model ended with a normal stop is returned; of anything else
 * not a character may be executed.
 *
 * @throws ModelError for an error part, another end than a stop, a broken or silent stream
 * @throws the bae error that the signal was aborted with, else AbortError
 */
export async function receiveResponse(request: Request): Promise<Response> {
  const watchdog = new Watchdog(request);
  const { signal, alive } = watchdog;
  let parts: AsyncIterator<ModelPart> | undefined;
  try {
    parts = request.model.respond(request.messages, { signal, alive })[Symbol.asyncIterator]();
    return await collectParts(parts, request, watchdog);
  } catch (error) {
    // Silence and the deadline are the reason themselves.
    if (signal.aborted) throw BaeError.is(signal.reason) ? signal.reason : toAbortError(signal);
    throw BaeError.is(error) ? error : adapterFailure(error);
  } finally {
    watchdog.stop();
    // Not awaited: an adapter that never settles must not hold up the turn.
    void Promise.resolve(parts?.return?.()).catch(() => undefined);
  }
}

async function collectParts(parts: AsyncIterator<ModelPart>, request: Request, watchdog: Watchdog): Promise<Response> {
  const pieces: string[] = [];
  let length = 0;
  let usage: Usage = { inputTokens: 0, outputTokens: 0, cachedTokens: 0 };
  for (;;) {
    const { value: part, done } = await watchdog.next(parts);
    if (done === true) {
      throw new ModelError('the response broke off before its end; nothing of it was executed.', { retryable: true });
    }
    if (part.type === 'error') throw part.error;
    if (part.type === 'usage') {
      usage = part.usage;
      request.onUsage(usage);
    }
    if (part.type === 'end') return { text: checkText(part.reason, pieces.join('')), usage };
    if (part.type !== 'text-delta') continue;
    pieces.push(part.text);
    length += part.text.length;
    if (length > RESPONSE_CAP) throw responseTooLong();
    await request.onDelta(part.text);
  }
}

function checkText(reason: EndReason, text: string): ModelText {
  if (reason !== 'stop') throw abnormalEnd(reason);
  if (text.trim() === '') throw new ModelError('the model answered with nothing.', { retryable: true });
  return asModelText(text);
}

/** Made once: an abort without a reason makes an exception with a stack every time. */
const OVER = new AbortError('the response is over');

/** Ends the wait for the next part when the turn is cancelled or the model stays silent. */
class Watchdog {
  readonly signal: AbortSignal;
  readonly #request: Request;
  readonly #stop = new AbortController();
  #timer: unknown;
  #hasBegun = false;

  constructor(request: Request) {
    this.#request = request;
    this.signal = AbortSignal.any([request.signal, this.#stop.signal]);
  }

  async next(parts: AsyncIterator<ModelPart>): Promise<IteratorResult<ModelPart>> {
    this.#startTimer();
    try {
      const result = await untilAborted(parts.next(), this.signal);
      this.#hasBegun = true;
      return result;
    } finally {
      this.#stopTimer();
    }
  }

  /** Restarts the timeout: the model has shown a sign of life. */
  readonly alive = (): void => {
    if (this.#timer === undefined) return;
    this.#stopTimer();
    this.#startTimer();
  };

  stop(): void {
    this.#stop.abort(OVER);
  }

  #startTimer(): void {
    const { timers, idleMs, firstTokenMs } = this.#request;
    const option = this.#hasBegun ? 'idleMs' : 'firstTokenMs';
    const ms = this.#hasBegun ? idleMs : firstTokenMs;
    const fact = this.#hasBegun
      ? `the model was silent for ${formatSeconds(ms)}`
      : `no response began within ${formatSeconds(ms)}`;
    const giveUp = () => {
      this.#stop.abort(
        new ModelError(`${fact} (${option}).`, {
          retryable: true,
          hints: [this.#hasBegun ? 'raise idleMs' : 'raise firstTokenMs (at the command line --first-token SECONDS)'],
        }),
      );
    };
    this.#timer = timers.setTimeout(giveUp, Math.min(ms, LONGEST_TIMER_MS));
  }

  #stopTimer(): void {
    this.#request.timers.clearTimeout(this.#timer);
    this.#timer = undefined;
  }
}

function adapterFailure(cause: unknown): ModelError {
  const message = cause instanceof Error ? cause.message : String(cause);
  return new ModelError(`the model’s adapter failed: ${message}`, { cause });
}

function responseTooLong(): ModelError {
  return new ModelError(`the response is longer than ${RESPONSE_CAP / 1_000_000} MB; nothing of it was executed.`, {
    hints: ['ask for a shorter answer', 'try another model'],
  });
}

function abnormalEnd(reason: Exclude<EndReason, 'stop'>): ModelError {
  const causes: Record<typeof reason, string> = {
    length: 'the response was cut off at the model’s output limit',
    'content-filter': 'the provider’s content filter stopped the response',
    error: 'the model ended the response with an error',
    cancelled: 'the provider cancelled the response',
    other: 'the response ended in a way that is not a normal stop',
  };
  return new ModelError(`${causes[reason]}; nothing of it was executed.`, {
    retryable: reason === 'error',
    hints: reason === 'length' ? ['ask for smaller steps', 'raise the model’s output limit'] : ['ask in other words'],
  });
}

function deadlineExceeded(ms: number): ModelError {
  return new ModelError(`the model took longer than ${formatSeconds(ms)} to answer; nothing of it was executed.`, {
    hints: ['ask for smaller steps', 'raise deadlineMs'],
  });
}

/** A time as people read it: `0.5 s`, `60 s`. */
function formatSeconds(ms: number): string {
  return `${Number((ms / 1000).toFixed(ms < 100 ? 3 : 1))} s`;
}
