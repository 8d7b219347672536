import { AbortError, ModelError } from '../errors/session-errors.ts';
import { BaeError } from '../errors/bae-error.ts';
import type { Timers } from '../protocol/host.ts';
import { LONGEST_TIMER_MS, RESPONSE_CAP } from '../protocol/limits.ts';
import type { Message, EndReason, Model, ModelPart, Usage } from '../protocol/model.ts';
import { asModelText, type ModelText } from '../protocol/model-text.ts';
import { reasonOf } from './interruption.ts';
import { shownSeconds } from './shown-seconds.ts';

/** A response that ended as it should, and may therefore be executed. */
export interface Response {
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
  /** Longest silence, in milliseconds. */
  readonly idleMs: number;
  onDelta(text: string): Promise<void>;
  /** Hears what a response cost, also one that fails later. */
  onUsage(usage: Usage): void;
}

/**
 * Reads one response to its end.
 *
 * Only a response that its model ended with a normal stop is returned; of anything else not a
 * character may be executed.
 *
 * @throws ModelError for an error part, another end than a stop, a broken or silent stream
 * @throws what the signal was aborted with: AbortError unless it is an error of ours
 */
export async function receiveResponse(request: Request): Promise<Response> {
  const watch = new Watch(request);
  let parts: AsyncIterator<ModelPart> | undefined;
  try {
    const { signal, alive } = watch;
    parts = request.model.respond(request.messages, { signal, alive })[Symbol.asyncIterator]();
    return await collect(parts, request, watch);
  } catch (error) {
    throw BaeError.is(error) ? error : adapterFailed(error);
  } finally {
    watch.stop();
    // Not awaited: an adapter that never settles must not hold up the turn.
    void Promise.resolve(parts?.return?.()).catch(() => undefined);
  }
}

async function collect(parts: AsyncIterator<ModelPart>, request: Request, watch: Watch): Promise<Response> {
  const pieces: string[] = [];
  let length = 0;
  let usage: Usage = { inputTokens: 0, outputTokens: 0, cachedTokens: 0 };
  for (;;) {
    const { value: part, done } = await watch.next(parts);
    if (done === true) throw brokeOff();
    if (part.type === 'error') throw part.error;
    if (part.type === 'usage') {
      usage = part.usage;
      request.onUsage(usage);
    }
    if (part.type === 'end') return { text: finished(part.reason, pieces), usage };
    if (part.type !== 'text-delta') continue;
    pieces.push(part.text);
    length += part.text.length;
    if (length > RESPONSE_CAP) throw tooLong();
    await request.onDelta(part.text);
  }
}

function finished(reason: EndReason, pieces: readonly string[]): ModelText {
  const text = pieces.join('');
  if (reason !== 'stop') throw endedEarly(reason);
  if (text.trim() === '') throw new ModelError('the model answered with nothing.', { retryable: true });
  return asModelText(text);
}

/** Made once: an abort without a reason makes an exception with a stack every time. */
const OVER = new AbortError('the response is over');

/** Ends the wait for the next part when the turn is cancelled or the model stays silent. */
class Watch {
  private readonly controller = new AbortController();
  private readonly interrupted: Promise<never>;
  private timer: unknown;

  constructor(private readonly request: Request) {
    const { signal } = request;
    this.interrupted = new Promise<never>((_, reject) => {
      this.signal.addEventListener('abort', () => reject(this.signal.reason as Error), { once: true });
    });
    this.interrupted.catch(() => undefined);
    if (signal.aborted) this.cancel();
    else signal.addEventListener('abort', this.cancel, { once: true });
  }

  get signal(): AbortSignal {
    return this.controller.signal;
  }

  async next(parts: AsyncIterator<ModelPart>): Promise<IteratorResult<ModelPart>> {
    this.startTimer();
    try {
      return await Promise.race([parts.next(), this.interrupted]);
    } finally {
      this.stopTimer();
    }
  }

  /** Begins the wait for a sign of life anew. */
  readonly alive = (): void => {
    if (this.timer === undefined) return;
    this.stopTimer();
    this.startTimer();
  };

  stop(): void {
    this.request.signal.removeEventListener('abort', this.cancel);
    this.controller.abort(OVER);
  }

  private startTimer(): void {
    this.timer = this.request.timers.setTimeout(this.silence, Math.min(this.request.idleMs, LONGEST_TIMER_MS));
  }

  private stopTimer(): void {
    this.request.timers.clearTimeout(this.timer);
    this.timer = undefined;
  }

  private readonly cancel = (): void => this.controller.abort(reasonOf(this.request.signal));

  private readonly silence = (): void => {
    const silence = shownSeconds(this.request.idleMs);
    this.controller.abort(new ModelError(`the model was silent for ${silence}.`, { retryable: true }));
  };
}

function adapterFailed(cause: unknown): ModelError {
  const message = cause instanceof Error ? cause.message : String(cause);
  return new ModelError(`the model’s adapter failed: ${message}`, { cause });
}

function brokeOff(): ModelError {
  return new ModelError('the response broke off before its end; nothing of it was executed.', { retryable: true });
}

function tooLong(): ModelError {
  const megabytes = RESPONSE_CAP / 1_000_000;
  return new ModelError(`the response is longer than ${megabytes} MB; nothing of it was executed.`, {
    hints: ['ask for a shorter answer', 'try another model'],
  });
}

function endedEarly(reason: Exclude<EndReason, 'stop'>): ModelError {
  const why: Record<typeof reason, string> = {
    length: 'the response was cut off at the model’s output limit',
    'content-filter': 'the provider’s content filter stopped the response',
    error: 'the model ended the response with an error',
    cancelled: 'the provider cancelled the response',
    other: 'the response ended in a way that is not a normal stop',
  };
  return new ModelError(`${why[reason]}; nothing of it was executed.`, {
    retryable: reason === 'error',
    hints: reason === 'length' ? ['ask for smaller steps', 'raise the model’s output limit'] : ['ask in other words'],
  });
}
