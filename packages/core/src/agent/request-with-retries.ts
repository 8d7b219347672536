import { ModelError } from '../errors/model-error.ts';
import { pause } from './interruption.ts';
import { receiveResponse, type Request, type Response } from './receive-response.ts';

const FIRST_WAIT_MS = 500;
/** A service that asks for a longer wait than this is given up on. */
const LONGEST_WAIT_MS = 60_000;

/** How often to try, and who is told about it. */
export interface RetryPolicy {
  /** Tries in all, the first included. */
  readonly tries: number;
  onRetry(text: string): Promise<void>;
}

/**
 * Asks a model until it answers as it should, or a fault is not going to pass.
 *
 * @throws ModelError the last fault; AbortError when the signal aborts
 */
export async function requestWithRetries(request: Request, policy: RetryPolicy): Promise<Response> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await receiveResponse(request);
    } catch (error) {
      if (!(error instanceof ModelError) || request.signal.aborted) throw error;
      const wait = error.retryAfterMs ?? FIRST_WAIT_MS * 2 ** (attempt - 1);
      if (!error.retryable || attempt >= policy.tries || wait > LONGEST_WAIT_MS) throw error;
      await policy.onRetry(
        `${error.message} Trying again in ${shownSeconds(wait)} (try ${attempt + 1} of ${policy.tries}).`,
      );
      await pause(wait, request.signal, request.timers);
    }
  }
}

function shownSeconds(ms: number): string {
  return `${Number((ms / 1000).toFixed(1))} s`;
}
