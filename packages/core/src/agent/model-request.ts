import { AbortError, ModelError, BaeError, ResourceError } from '../errors/bae-error.ts';
import type { Entropy, Host, Timers } from '../protocol/host.ts';
import { LONGEST_TIMER_MS, RESPONSE_CAP } from '../protocol/limits.ts';
import {
  asModelText,
  type Message,
  type EndReason,
  type Model,
  type ModelPart,
  type Usage,
  type ModelText,
} from '../protocol/model.ts';
import { estimateTokens } from '../text-size/text-size.ts';
import { abortWith, toAbortError, untilAborted } from '../tool-router/abort.ts';

const FIRST_DELAY_MS = 500;
/** Maximum delay requested by a service after which a request is retried, in milliseconds. */
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
  /** Ends the request with the error with which it was aborted. */
  readonly signal: AbortSignal;
  readonly timers: Timers;
  /** Maximum wait for the first part, in milliseconds. */
  readonly firstTokenMs: number;
  /** Maximum silence after the first part, in milliseconds. */
  readonly idleMs: number;
  onDelta(text: string): Promise<void>;
  /** Called with the usage of a response, including one that fails later; it is estimated for one that is cut off. */
  onUsage(usage: Usage): void;
}

interface RetryPolicy {
  /** Maximum number of tries, including the first. */
  readonly tries: number;
  /** Time limit for all tries and the delays between them, in milliseconds. */
  readonly deadlineMs: number;
  readonly host: Host;
  onRetry(text: string): Promise<void>;
}

/**
 * Sends a request until a response ends normally, an error is permanent, or the time is up.
 *
 * @throws ModelError the last error; AbortError when the signal aborts
 */
export async function requestWithRetries(request: Omit<Request, 'timers'>, policy: RetryPolicy): Promise<Response> {
  const { tries, deadlineMs, host } = policy;
  const { clock, timers } = host;
  const stop = new AbortController();
  const unlink = abortWith(stop, request.signal);
  const { signal } = stop;
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
    unlink();
  }
}

/**
 * Returns the delay requested by the service, otherwise half of a step that doubles with each attempt; plus up to half
 * a step at random, so that agents that failed at the same time do not retry at the same time.
 */
function computeDelay({ retryAfterMs }: ModelError, attempt: number, { entropy }: Host): number {
  const half = Math.min(FIRST_DELAY_MS * 2 ** (attempt - 1), LONGEST_DELAY_MS) / 2;
  return Math.round((retryAfterMs ?? half) + half * getRandomFraction(entropy));
}

/** Returns a random number of at least 0 and less than 1. */
export function getRandomFraction(entropy: Entropy): number {
  const drawn = entropy.getRandomValues(new Uint8Array(4));
  return drawn.reduce((fraction, byte) => (fraction + byte) / 256, 0);
}

/** @throws AbortError if the signal aborts first */
async function sleep(ms: number, signal: AbortSignal, timers: Timers): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  const timer = timers.setTimeout(resolve, ms);
  await untilAborted(promise, signal).finally(() => timers.clearTimeout(timer));
}

/** Created once: an abort without a reason creates an exception with a stack trace every time. */
const OVER = new AbortError('the response is over');

/**
 * Reads one response to its end. Returns only a response that its model ended with a normal stop; no character of any
 * other response may be executed.
 *
 * @throws ModelError for an error part, an end other than a stop, or a broken or silent stream
 * @throws the bae error with which the signal was aborted, otherwise AbortError
 */
export async function receiveResponse(request: Request): Promise<Response> {
  const stop = new AbortController();
  const unlink = abortWith(stop, request.signal);
  const { signal } = stop;
  try {
    return await collectParts(readParts(request, stop), request);
  } catch (error) {
    // For silence and the deadline, the abort reason is itself the error.
    if (signal.aborted) throw BaeError.is(signal.reason) ? signal.reason : toAbortError(signal);
    if (BaeError.is(error)) throw error;
    const message = error instanceof Error ? error.message : String(error);
    throw new ModelError(`the model’s adapter failed: ${message}`, { cause: error });
  } finally {
    unlink();
    stop.abort(OVER);
  }
}

async function collectParts(parts: AsyncIterable<ModelPart>, request: Request): Promise<Response> {
  const text = new LongText();
  let usage: Usage = { inputTokens: 0, outputTokens: 0, cachedTokens: 0 };
  let hasEnded = false;
  try {
    for await (const part of parts) {
      if (part.type === 'error') throw part.error;
      if (part.type === 'end') {
        hasEnded = true;
        return { text: checkText(part.reason, text.toString()), usage };
      }
      if (part.type === 'usage') {
        usage = part.usage;
        request.onUsage(usage);
      }
      if (part.type !== 'text-delta') continue;
      text.add(part.text);
      if (text.length > RESPONSE_CAP) {
        const fact = `the response is longer than ${RESPONSE_CAP / 1_000_000} MB; nothing of it was executed.`;
        throw new ModelError(fact, { hints: ['ask for a shorter answer', 'try another model'] });
      }
      await request.onDelta(part.text);
    }
    throw new ModelError('the response broke off before its end; nothing of it was executed.', { retryable: true });
  } finally {
    // Services charge for what they sent, although they report it only at the end.
    const isCharged = request.signal.aborted || text.length > 0;
    if (!hasEnded && isCharged) request.onUsage(estimateRest(request.messages, text.toString(), usage));
  }
}

/** Estimates the tokens of a response that was cut off, without those that were reported. */
function estimateRest(messages: readonly Message[], text: string, reported: Usage): Usage {
  const sent = messages.reduce((tokens, message) => tokens + estimateTokens(message.text), 0);
  return {
    inputTokens: reported.inputTokens > 0 ? 0 : Math.ceil(sent),
    outputTokens: Math.max(0, Math.ceil(estimateTokens(text)) - reported.outputTokens),
    cachedTokens: 0,
  };
}

/** Text that arrives in many small pieces: if each were appended to one string, each would stay a separate object. */
class LongText {
  #joined = '';
  #pieces: string[] = [];
  length = 0;

  add(piece: string): void {
    this.#pieces.push(piece);
    this.length += piece.length;
    if (this.#pieces.length >= 1000) this.#join();
  }

  toString(): string {
    this.#join();
    return this.#joined;
  }

  #join(): void {
    this.#joined += this.#pieces.join('');
    this.#pieces = [];
  }
}

/** Yields the parts that a model sends until `stop` aborts; also aborts `stop` if the model stays silent. */
async function* readParts(request: Request, stop: AbortController): AsyncGenerator<ModelPart> {
  const { model, messages, timers, firstTokenMs, idleMs } = request;
  const { signal } = stop;
  let hasBegun = false;
  let timer: unknown;
  const startTimer = () => {
    const giveUp = () => stop.abort(silenceError(request, hasBegun));
    timer = timers.setTimeout(giveUp, Math.min(hasBegun ? idleMs : firstTokenMs, LONGEST_TIMER_MS));
  };
  const stopTimer = () => {
    timers.clearTimeout(timer);
    timer = undefined;
  };
  const alive = () => {
    if (timer === undefined) return;
    stopTimer();
    startTimer();
  };
  const parts = model.respond(messages, { signal, alive })[Symbol.asyncIterator]();
  // One listener for all parts: one per part would create objects that are collected late.
  let interrupt: (() => void) | undefined;
  const onAbort = (): void => interrupt?.();
  signal.addEventListener('abort', onAbort, { once: true });
  const readNext = () =>
    new Promise<IteratorResult<ModelPart, unknown>>((resolve, reject) => {
      interrupt = () => reject(toAbortError(signal));
      if (signal.aborted) interrupt();
      parts.next().then(resolve, reject);
    });
  try {
    for (;;) {
      startTimer();
      const { value, done } = await readNext().finally(stopTimer);
      if (done === true) return;
      hasBegun = true;
      yield value;
    }
  } finally {
    stopTimer();
    signal.removeEventListener('abort', onAbort);
    // Not awaited: an adapter that never settles must not hold up the turn.
    void Promise.resolve(parts.return?.()).catch(() => undefined);
  }
}

function checkText(reason: EndReason, text: string): ModelText {
  if (reason !== 'stop') throw abnormalEnd(reason);
  if (text.trim() === '') throw new ModelError('the model gave an empty answer.', { retryable: true });
  return asModelText(text);
}

function silenceError({ firstTokenMs, idleMs }: Request, hasBegun: boolean): ModelError {
  const [fact, hint] = hasBegun
    ? [`the model was silent for ${formatSeconds(idleMs)} (idleMs).`, 'raise idleMs']
    : [
        `no response began within ${formatSeconds(firstTokenMs)} (firstTokenMs).`,
        'raise firstTokenMs (at the command line --first-token SECONDS)',
      ];
  return new ModelError(fact, { retryable: true, hints: [hint] });
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
    hints: reason === 'length' ? ['ask for smaller steps', 'raise the model’s output limit'] : ['rephrase the request'],
  });
}

function deadlineExceeded(ms: number): ModelError {
  return new ModelError(`the model took longer than ${formatSeconds(ms)} to answer; nothing of it was executed.`, {
    hints: [
      'ask for smaller steps',
      'go on from what was done, which stays done (at the command line: bae ask --continue "go on")',
      'raise deadlineMs (at the command line --first-token SECONDS, which raises both)',
    ],
  });
}

function formatSeconds(ms: number): string {
  return `${Number((ms / 1000).toFixed(ms < 100 ? 3 : 1))} s`;
}

/** Budget of a turn, and what it has used so far. */
export interface Spending {
  /** Returns which limit was reached, and how; undefined if none was. */
  describeSpent(): string | undefined;
  count(usage: Usage): void;
}

interface ModelCallParts {
  readonly model: Model | undefined;
  readonly limits: {
    readonly firstTokenMs: number;
    readonly idleMs: number;
    readonly tries: number;
    readonly deadlineMs: number;
  };
  readonly host: Host;
  /** Receives a line about each request that is retried. */
  readonly onRetry: (text: string) => Promise<void>;
}

/**
 * Sends the requests that tools make to the session's model; their usage counts for the turn in which they are made.
 */
export class ModelCalls {
  /** Budget of the running turn. Default: no turn is running, and nothing is counted. */
  spending: Spending | undefined;
  readonly #parts: ModelCallParts;

  constructor(parts: ModelCallParts) {
    this.#parts = parts;
  }

  /** Name of the model; undefined if there is none. */
  get name(): string | undefined {
    return this.#parts.model?.name;
  }

  /**
   * Returns the model's response to a prompt, which contains nothing of the conversation.
   *
   * @throws ResourceError without a model, or when a limit of the turn is reached; ModelError when the model fails
   */
  async ask(prompt: string, signal: AbortSignal): Promise<string> {
    const { model, limits, host, onRetry } = this.#parts;
    if (model === undefined) throw new ResourceError('there is no model to ask here.');
    const spent = this.spending?.describeSpent();
    if (spent !== undefined) throw new ResourceError(`the model is no longer asked: this turn has used ${spent}.`);
    const { spending } = this;
    const request = {
      model,
      messages: [{ role: 'user', text: prompt }] as const,
      signal,
      firstTokenMs: limits.firstTokenMs,
      idleMs: limits.idleMs,
      onDelta: () => Promise.resolve(),
      onUsage: (usage: Usage) => spending?.count(usage),
    };
    const { tries, deadlineMs } = limits;
    return (await requestWithRetries(request, { tries, deadlineMs, host, onRetry })).text;
  }
}
