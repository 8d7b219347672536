import { ModelError } from '../errors/session-errors.ts';
import type { Host } from '../protocol/host.ts';
import { LONGEST_TIMER_MS } from '../protocol/limits.ts';
import { asAbortError } from './interruption.ts';
import { pause } from './pause.ts';
import { randomShare } from './random-share.ts';
import { receiveResponse, type Request, type Response } from './receive-response.ts';
import { shownSeconds } from './shown-seconds.ts';

const FIRST_WAIT_MS = 500;
/** A service that asks for a longer wait than this is given up on. */
const LONGEST_WAIT_MS = 60_000;

/** How often to try and for how long, and who is told about it. */
export interface RetryPolicy {
  /** Tries in all, the first included. */
  readonly tries: number;
  /** Longest time of all tries and the waits between them, in milliseconds. */
  readonly deadlineMs: number;
  readonly host: Host;
  onRetry(text: string): Promise<void>;
}

/**
 * Asks a model until it answers as it should, a fault is not going to pass, or the time is up.
 *
 * @throws ModelError the last fault; AbortError when the signal aborts
 */
export async function requestWithRetries(request: Omit<Request, 'timers'>, policy: RetryPolicy): Promise<Response> {
  const { deadlineMs, host } = policy;
  const { clock, timers } = host;
  const stop = new AbortController();
  const cancel = (): void => stop.abort(asAbortError(request.signal));
  if (request.signal.aborted) cancel();
  else request.signal.addEventListener('abort', cancel, { once: true });
  const until = clock.now() + deadlineMs;
  const timer = timers.setTimeout(() => stop.abort(tooSlow(deadlineMs)), Math.min(deadlineMs, LONGEST_TIMER_MS));
  try {
    return await tryAgain({ ...request, timers, signal: stop.signal }, policy, until);
  } finally {
    timers.clearTimeout(timer);
    request.signal.removeEventListener('abort', cancel);
  }
}

/** @param until time of the deadline by the host's clock */
async function tryAgain(request: Request, policy: RetryPolicy, until: number): Promise<Response> {
  const { tries, host } = policy;
  for (let attempt = 1; ; attempt++) {
    try {
      return await receiveResponse(request);
    } catch (error) {
      if (!(error instanceof ModelError) || request.signal.aborted) throw error;
      const wait = waitAfter(error, attempt, host);
      const isWorthIt = wait <= LONGEST_WAIT_MS && host.clock.now() + wait < until;
      if (!error.retryable || attempt >= tries || !isWorthIt) throw error;
      await policy.onRetry(`${error.message} Trying again in ${shownSeconds(wait)} (try ${attempt + 1} of ${tries}).`);
      await pause(wait, request.signal, request.timers);
    }
  }
}

/**
 * At least as long as the service asks for, else half of a step that doubles; and up to half a step more by chance, so
 * that agents that failed together do not come back together.
 */
function waitAfter({ retryAfterMs }: ModelError, attempt: number, { entropy }: Host): number {
  const half = Math.min(FIRST_WAIT_MS * 2 ** (attempt - 1), LONGEST_WAIT_MS) / 2;
  return Math.round((retryAfterMs ?? half) + half * randomShare(entropy));
}

function tooSlow(ms: number): ModelError {
  return new ModelError(`the model took longer than ${shownSeconds(ms)} to answer; nothing of it was executed.`, {
    hints: ['ask for smaller steps', 'raise deadlineMs'],
  });
}
