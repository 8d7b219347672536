import { ModelError } from '@bae/core';
import { faultDetails, type FaultDetails } from './fault-details.ts';
import { retryAfterMs } from './retry-after.ts';

/** Whose fault it is: what the error calls the model, and where its key comes from. */
export interface FaultOrigin {
  /** `anthropic/claude-sonnet-5-5` */
  readonly name: string;
  /** Environment variable that holds the key: `ANTHROPIC_API_KEY`. */
  readonly keyVariable?: string;
}

interface Verdict {
  readonly fact: string;
  /** Default: no. */
  readonly retryable?: boolean;
  readonly hints?: readonly string[];
}

const UNREACHABLE = /^(ECONNREFUSED|ENOTFOUND|EAI_AGAIN|EHOSTUNREACH|ENETUNREACH|ETIMEDOUT|UND_ERR_CONNECT_TIMEOUT)$/;
const BROKEN =
  /^(ECONNRESET|EPIPE|ECONNABORTED|UND_ERR_(SOCKET|HEADERS_TIMEOUT|BODY_TIMEOUT|RES_CONTENT_LENGTH_MISMATCH))$/;
const UNREADABLE =
  /^(AI_(JSONParseError|TypeValidationError|InvalidResponseDataError|EmptyResponseBodyError)|SyntaxError|HPE_.*|HTTPParserError|UND_ERR_HEADERS_OVERFLOW|ERR_ENCODING_INVALID_ENCODED_DATA|Z_(DATA|BUF)_ERROR)$/;
/** How the Anthropic provider reports that the very first chunk of a stream is unreadable. */
const UNREADABLE_START = /^Expected a normalized/;
const OVERLOADED = /^(overloaded(_error)?|unavailable)$/i;
const SERVER_FAULT = /^(server_error|api_error|internal(_server)?_error|internal|timeout_error)$/i;
const UNPAID = /^(insufficient_quota|billing_hard_limit_reached)$/;
const TOO_LONG = /context.{0,20}(length|window)|too long|too many tokens|maximum.{0,40}tokens/i;

/**
 * Turns whatever a provider or the network threw into the one error of the model port.
 *
 * Retryable are rate limits, overload, server errors, lost connections and answers that cannot be read;
 * a refused key, an unknown model and a request that the service calls wrong are not.
 */
export function toModelError(fault: unknown, origin: FaultOrigin): ModelError {
  if (fault instanceof ModelError) return fault;
  const details = faultDetails(fault);
  const { fact, ...options } = verdict(details, origin);
  const retryAfter = retryAfterMs(details.headers);
  return new ModelError(`${fact}: ${details.message}.`, {
    ...options,
    ...(options.retryable === true && retryAfter !== undefined ? { retryAfterMs: retryAfter } : {}),
    cause: fault,
  });
}

function verdict(details: FaultDetails, origin: FaultOrigin): Verdict {
  if (details.status !== undefined) return verdictByStatus(details.status, details, origin);
  const { name } = origin;
  const has = (pattern: RegExp): string | undefined => details.marks.find((mark) => pattern.test(mark));
  const unreachable = has(UNREACHABLE);
  if (unreachable !== undefined) {
    const hints = ['check that the service is running and that its base URL is right'];
    return { fact: `${name} could not be reached (${unreachable})`, retryable: true, hints };
  }
  const broken = has(BROKEN);
  if (broken !== undefined) return { fact: `the connection to ${name} broke off (${broken})`, retryable: true };
  if (has(UNREADABLE) !== undefined || UNREADABLE_START.test(details.message))
    return { fact: `${name} sent something that cannot be read`, retryable: true };
  if (has(OVERLOADED) !== undefined) return { fact: `${name} is overloaded`, retryable: true };
  if (has(/^rate_limit/) !== undefined) return { fact: `${name} limits requests`, retryable: true };
  return { fact: `${name} failed`, retryable: details.retryable ?? has(SERVER_FAULT) !== undefined };
}

function verdictByStatus(status: number, details: FaultDetails, origin: FaultOrigin): Verdict {
  const { name, keyVariable } = origin;
  if (status === 401 || status === 403) {
    const hints = [keyVariable === undefined ? 'check the key of this provider' : `check ${keyVariable}`];
    return { fact: `${name} refused the key (status ${status})`, hints };
  }
  if (status === 404) {
    const hints = ['check the name of the model: --model provider/name', 'check the base URL'];
    return { fact: `${name} was not found (status 404)`, hints };
  }
  if (status === 402 || details.marks.some((mark) => UNPAID.test(mark))) {
    return { fact: `${name} wants to be paid (status ${status})`, hints: ['check the billing of this provider'] };
  }
  if (status === 429) return { fact: `${name} limits requests (status 429)`, retryable: true };
  if (status === 503 || status === 529) return { fact: `${name} is overloaded (status ${status})`, retryable: true };
  if (status >= 500 || status === 408 || status === 409 || status === 425) {
    return { fact: `${name} failed (status ${status})`, retryable: true };
  }
  const hints = TOO_LONG.test(details.message) ? ['start a new session, or ask for less at a time'] : [];
  return { fact: `${name} refused the request (status ${status})`, hints };
}
